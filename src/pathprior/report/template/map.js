// The map of paths: pointing at a cell says which two it is about and the number, a click chooses them.
const makeMap = (data, pair, onChoose) => {
  const svg = document.querySelector(".map svg");
  if (!svg) return;
  const box = svg.parentElement, tip = document.createElement("div");
  const side = Number(svg.dataset.side), cell = side / data.order.length;
  tip.className = "tip";
  tip.hidden = true;
  box.append(tip);
  for (const title of svg.querySelectorAll("title")) title.remove(); // the tip says it at once
  const [row, column] = ["row", "column"].map((name) => {
    const band = document.createElementNS(svg.namespaceURI, "rect");
    band.setAttribute("class", "band");
    for (const size of ["width", "height"]) band.setAttribute(size, side);
    band.setAttribute(name === "row" ? "height" : "width", cell);
    band.style.display = "none";
    svg.append(band);
    return band;
  });

  // the places of cause and effect; nothing on the diagonal and beyond the cells
  const placesAt = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const [i, j] = [at.y, at.x].map((z) => Math.floor(z / cell));
    const isInside = [i, j].every((k) => k >= 0 && k < data.order.length);
    return isInside && i !== j ? [i, j] : null;
  };
  const leave = () => {
    tip.hidden = true;
    for (const band of [row, column]) band.style.display = "none";
  };
  const point = (event) => {
    const places = placesAt(event);
    if (!places) { leave(); return; }
    const [x, y] = places.map((k) => data.order[k]);
    const found = pair.relations && pair.relations(x, y)[0];
    const number = found ? `: ${withError(found.p, found.error)}` : "";
    tip.textContent = `${data.nodes[x].name} causes ${data.nodes[y].name}${number}`;
    row.setAttribute("y", places[0] * cell);
    column.setAttribute("x", places[1] * cell);
    for (const band of [row, column]) band.style.display = "";
    tip.hidden = false;
    const { left, top, width } = box.getBoundingClientRect(), h = event.clientX - left, v = event.clientY - top;
    tip.style.left = `${h + box.scrollLeft}px`;
    tip.style.top = `${v}px`;
    tip.style.transform = `translate(${h > width / 2 ? "calc(-100% - 12px)" : "12px"}, ${v < 40 ? "60%" : "-120%"})`;
  };
  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerdown", point);
  svg.addEventListener("pointerleave", leave);
  svg.addEventListener("click", (event) => {
    const places = placesAt(event);
    if (!places) return;
    const [x, y] = places.map((k) => data.order[k]);
    pair.choose(x, y);
    onChoose(x, y);
    pair.show();
  });
};
