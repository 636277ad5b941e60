// All of the graph in a corner, with what the window shows of it; press or drag to look elsewhere.
const makeOverview = (graph, canvas) => {
  const { cy, colour } = graph;
  const WIDEST = 190, HIGHEST = 130, SHARE = 0.3, INSIDE = 6; // it never hides much of the graph
  const background = document.createElement("canvas");
  let box = null, scale = 1;

  const drawAll = () => {
    const nodes = cy.nodes().not(".away");
    box = nodes.boundingBox({ includeLabels: false });
    const [widest, highest] = [Math.min(WIDEST, SHARE * cy.width()), Math.min(HIGHEST, SHARE * cy.height())];
    scale = Math.min((widest - 2 * INSIDE) / Math.max(1, box.w), (highest - 2 * INSIDE) / Math.max(1, box.h));
    const dots = window.devicePixelRatio || 1;
    const [width, height] = [box.w * scale + 2 * INSIDE, box.h * scale + 2 * INSIDE].map(Math.ceil);
    for (const target of [canvas, background]) { target.width = width * dots; target.height = height * dots; }
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const pen = background.getContext("2d");
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    pen.fillStyle = colour("paper");
    pen.fillRect(0, 0, width, height);
    const at = ({ x, y }) => [(x - box.x1) * scale + INSIDE, (y - box.y1) * scale + INSIDE];
    pen.strokeStyle = colour("line");
    pen.lineWidth = 0.7;
    pen.beginPath();
    cy.edges().not(".weak").forEach((edge) => {
      if (edge.source().hasClass("away") || edge.target().hasClass("away")) return;
      pen.moveTo(...at(edge.source().position()));
      pen.lineTo(...at(edge.target().position()));
    });
    pen.stroke();
    nodes.forEach((node) => {
      const [x, y] = at(node.position()), half = Math.max(1, (node.data("width") * scale) / 2);
      const isEnd = node.hasClass("end");
      pen.fillStyle = colour(isEnd ? "beliefs" : node.hasClass("lit") ? "ink" : "soft-ink");
      pen.fillRect(x - half, y - (isEnd ? 2 : 1), 2 * half, isEnd ? 4 : 2);
    });
    drawWindow();
  };

  const drawWindow = () => {
    if (!box) return;
    const seen = cy.extent();
    const isWhole = seen.x1 <= box.x1 && seen.x2 >= box.x2 && seen.y1 <= box.y1 && seen.y2 >= box.y2;
    canvas.hidden = isWhole;
    if (isWhole) return;
    const dots = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(background, 0, 0);
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    const [x, y] = [(seen.x1 - box.x1) * scale + INSIDE, (seen.y1 - box.y1) * scale + INSIDE];
    pen.strokeStyle = colour("data");
    pen.lineWidth = 2;
    pen.strokeRect(x, y, seen.w * scale, seen.h * scale);
  };

  const lookAt = (event) => {
    const corner = canvas.getBoundingClientRect(), zoom = cy.zoom();
    const x = (event.clientX - corner.x - INSIDE) / scale + box.x1;
    const y = (event.clientY - corner.y - INSIDE) / scale + box.y1;
    cy.pan({ x: cy.width() / 2 - x * zoom, y: cy.height() / 2 - y * zoom });
  };
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); lookAt(event); });
  canvas.addEventListener("pointermove", (event) => { if (event.buttons) lookAt(event); });
  cy.on("viewport resize", drawWindow);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  return { drawAll };
};
