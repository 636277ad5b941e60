"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const container = document.getElementById("graph");
  const note = document.getElementById("note");
  const hint = "Drag to move, scroll to zoom; point at a variable or an edge to learn more.";
  note.textContent = hint;

  // -- size: a layout unit is so wide that every label fits the room the layout gave it -----------
  const FONT = 13, LONGEST = 130, MOST_ZOOM = 1.4;
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = `${FONT}px system-ui, sans-serif`;
  const labelWidth = (name) => Math.min(LONGEST, Math.ceil(ruler.measureText(name).width));
  const widths = data.nodes.map((node) => labelWidth(node.name) + 20);
  const unit = Math.max(64, ...data.nodes.map((node, k) => (widths[k] + 12) / node.width));
  // layers as far apart as the window's shape lets them be
  const span = (axis) => Math.max(1, ...data.nodes.map((node) => node[axis]));
  const shape = container.clientHeight / Math.max(1, container.clientWidth);
  const byShape = ((span("x") + 1) * unit * shape) / (span("y") + 0.5);
  const byHeight = container.clientHeight / MOST_ZOOM / (span("y") + 1);
  const layer = Math.min(120, Math.max(64, byShape, byHeight));
  const place = (x, y) => ({ x: x * unit, y: y * layer });

  // A bend as cytoscape wants it: its share of the straight line, and its distance from it.
  const relative = (from, to, bend) => {
    const dx = to.x - from.x, dy = to.y - from.y;
    const length = Math.hypot(dx, dy) || 1, ux = dx / length, uy = dy / length;
    const px = bend.x - from.x, py = bend.y - from.y;
    return { weight: (px * ux + py * uy) / length, distance: py * ux - px * uy };
  };

  // Cytoscape's curve meets the middle between two control points along the line through them: one
  // on either side of each point of the route leads it through that point.
  const controls = (route) => route.slice(1, -1).flatMap((point, k) => {
    const tx = 0.15 * (route[k + 2].x - route[k].x), ty = 0.15 * (route[k + 2].y - route[k].y);
    return [{ x: point.x - tx, y: point.y - ty }, { x: point.x + tx, y: point.y + ty }];
  });

  const points = data.nodes.map((node) => place(node.x, node.y));
  const nodes = data.nodes.map((node, k) => ({
    data: { id: `n${k}`, name: node.name, width: widths[k] }, position: points[k],
  }));
  const edges = data.edges.map((edge, k) => {
    const from = points[edge.source], to = points[edge.target];
    const route = [from, ...edge.bends.map(([x, y]) => place(x, y)), to];
    const bends = controls(route).map((point) => relative(from, to, point));
    return {
      data: {
        id: `e${k}`, source: `n${edge.source}`, target: `n${edge.target}`, note: edge.note,
        weights: bends.map((b) => b.weight), distances: bends.map((b) => b.distance),
      },
      classes: [edge.support, edge.isOpen ? "open" : "", bends.length ? "bent" : ""].join(" "),
    };
  });

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const sheet = () => [
    { selector: "node", style: {
      label: "data(name)", width: "data(width)", height: 28, shape: "round-rectangle",
      "background-color": colour("paper"), "border-width": 1.2, "border-color": colour("soft-ink"),
      color: colour("ink"), "font-size": FONT, "font-family": "system-ui, sans-serif",
      "text-valign": "center", "text-halign": "center",
      "text-wrap": "ellipsis", "text-max-width": LONGEST, "min-zoomed-font-size": 4,
    } },
    { selector: "edge", style: {
      width: 2, "line-color": colour("neither"), "target-arrow-color": colour("neither"),
      "target-arrow-shape": "triangle", "arrow-scale": 1.1, "curve-style": "straight",
    } },
    { selector: ".bent", style: {
      "curve-style": "unbundled-bezier", "edge-distances": "node-position",
      "control-point-weights": "data(weights)", "control-point-distances": "data(distances)",
    } },
    ...["data", "beliefs", "both", "neither"].map((kind) => ({
      selector: `edge.${kind}`,
      style: { "line-color": colour(kind), "target-arrow-color": colour(kind) },
    })),
    { selector: ".open", style: { "line-style": "dashed", "line-dash-pattern": [7, 4] } },
    { selector: ".faded", style: { opacity: 0.3 } },
    { selector: "edge.lit", style: { width: 4.5, "z-index": 10 } },
    { selector: "node.lit", style: { "border-width": 2, "border-color": colour("ink") } },
    { selector: "node.end", style: {
      "border-width": 3, "border-color": colour("ink"), "font-weight": 600,
      "background-color": colour("warm"),
    } },
  ];

  const cy = cytoscape({
    container, elements: { nodes, edges }, style: sheet(), layout: { name: "preset", fit: false },
    minZoom: 0.05, maxZoom: 4, autoungrabify: true, boxSelectionEnabled: false, selectionType: "single",
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => cy.style(sheet()));
  const showAll = () => { cy.fit(undefined, 16); if (cy.zoom() > MOST_ZOOM) { cy.zoom(MOST_ZOOM); cy.center(); } };
  showAll();
  new ResizeObserver(() => { cy.resize(); showAll(); }).observe(container);

  // -- lighting up: a pinned choice stays, pointing at things shows on top of nothing else --------
  let pinned = null;
  const light = (lit, ends, text) => {
    cy.batch(() => {
      cy.elements().removeClass("lit end faded");
      if (lit) {
        cy.elements().not(lit).not(ends).addClass("faded");
        lit.addClass("lit");
        ends.addClass("end");
      }
    });
    note.textContent = text;
  };
  const collect = (ids) => ids.reduce((all, id) => all.union(cy.getElementById(id)), cy.collection());
  const rest = () => (pinned ? light(pinned.lit, pinned.ends, pinned.text) : light(null, null, hint));

  const pin = (row, lit, ends, text) => {
    for (const other of document.querySelectorAll("tr.chosen")) {
      other.classList.remove("chosen");
      other.querySelector("button").setAttribute("aria-pressed", "false");
    }
    const isSame = row && pinned && pinned.row === row;
    pinned = row && !isSame ? { row, lit, ends, text } : null;
    if (pinned) {
      row.classList.add("chosen");
      row.querySelector("button").setAttribute("aria-pressed", "true");
      const seen = cy.extent(), box = lit.union(ends).boundingBox();
      if (box.x1 < seen.x1 || box.x2 > seen.x2 || box.y1 < seen.y1 || box.y2 > seen.y2) showAll();
    }
    rest();
  };
  const clear = () => pin(null);

  const chooseBelief = (row) => {
    const belief = data.beliefs[Number(row.dataset.belief)];
    const lit = collect([...belief.nodes.map((k) => `n${k}`), ...belief.edges.map((k) => `e${k}`)]);
    pin(row, lit, collect([`n${belief.x}`, `n${belief.y}`]), belief.note);
  };
  const chooseEdge = (row) => {
    const edge = cy.getElementById(`e${row.dataset.edge}`);
    pin(row, edge, edge.connectedNodes(), edge.data("note"));
  };
  document.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-belief], tr[data-edge]");
    if (row) (row.dataset.belief === undefined ? chooseEdge : chooseBelief)(row);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") clear(); });

  // -- pointing at the graph and at steps ---------------------------------------------------------
  const names = (nodes) => nodes.map((node) => node.data("name")).join(", ") || "none";
  const describe = (node) =>
    `${node.data("name")}. Causes: ${names(node.incomers("node"))}. Effects: ${names(node.outgoers("node"))}.`;
  cy.on("mouseover", "node", ({ target }) => light(target.closedNeighborhood(), target, describe(target)));
  cy.on("mouseover", "edge", ({ target }) => light(target, target.connectedNodes(), target.data("note")));
  cy.on("mouseout", "node, edge", rest);
  cy.on("tap", (event) => { if (event.target === cy) clear(); });
  for (const mark of document.querySelectorAll(".step")) {
    const edgesOf = collect(data.steps[Number(mark.dataset.step)].map((k) => `e${k}`));
    mark.addEventListener("mouseenter", () => {
      const text = mark.querySelector("title").textContent;
      if (edgesOf.nonempty()) light(edgesOf, edgesOf.connectedNodes(), text);
      else note.textContent = `${text} (not in the final network)`;
    });
    mark.addEventListener("mouseleave", rest);
  }

  // -- moving about -------------------------------------------------------------------------------
  const zoomBy = (factor) => cy.zoom({
    level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 },
  });
  document.getElementById("zoom-in").addEventListener("click", () => zoomBy(1.3));
  document.getElementById("zoom-out").addEventListener("click", () => zoomBy(1 / 1.3));
  document.getElementById("fit").addEventListener("click", showAll);
  const keys = {
    ArrowLeft: () => cy.panBy({ x: 60, y: 0 }), ArrowRight: () => cy.panBy({ x: -60, y: 0 }),
    ArrowUp: () => cy.panBy({ x: 0, y: 60 }), ArrowDown: () => cy.panBy({ x: 0, y: -60 }),
    "+": () => zoomBy(1.3), "-": () => zoomBy(1 / 1.3), 0: showAll,
  };
  container.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    keys[event.key]();
    event.preventDefault();
  });

  const list = document.getElementById("names");
  for (const node of data.nodes) {
    const option = document.createElement("option");
    option.value = node.name;
    list.append(option);
  }
  document.getElementById("find").addEventListener("input", (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    const found = data.nodes.findIndex((node) => node.name.toLowerCase() === wanted);
    if (found < 0) { rest(); return; }
    const node = cy.getElementById(`n${found}`);
    cy.animate({ center: { eles: node }, zoom: Math.max(1, cy.zoom()) }, { duration: 200 });
    light(node.closedNeighborhood(), node, describe(node));
  });

  container.cy = cy; // for scripts that look at the page
})();
