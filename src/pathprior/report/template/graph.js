"use strict";
// The network as cytoscape draws it. A label is never drawn under LEAST_FONT pixels: below that it is
// left out, and the page opens where all of them can be read.
const FONT = 13, LEAST_FONT = 11, LONGEST = 130, MOST_ZOOM = 1.4, HEIGHT = 28, MARGIN = 16;
const READABLE = LEAST_FONT / FONT + 0.001;

const makeGraph = (data, container) => {
  // -- size: a layout unit is so wide that every label fits the room the layout gave it -----------
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = `${FONT}px system-ui, sans-serif`;
  const labelWidth = (name) => Math.min(LONGEST, Math.ceil(ruler.measureText(name).width));
  const widths = data.nodes.map((node) => labelWidth(node.name) + 20);
  const unit = Math.max(64, ...data.nodes.map((node, k) => (widths[k] + 12) / node.width));
  // layers as far apart as the window's shape lets them be, and close together where all do not fit
  const span = (axis) => Math.max(1, ...data.nodes.map((node) => node[axis]));
  const { clientWidth, clientHeight } = container;
  const byShape = ((span("x") + 1) * unit * clientHeight) / Math.max(1, clientWidth) / (span("y") + 0.5);
  const byHeight = clientHeight / MOST_ZOOM / (span("y") + 1);
  const isWide = (span("x") + 1) * unit * READABLE > clientWidth;
  // what is wider than the window is not also higher, if its layers need not be too close for that
  const readable = (clientHeight / READABLE - 2 * MARGIN - HEIGHT) / span("y");
  const layer = isWide ? (readable >= 60 ? Math.min(76, readable) : 76)
    : Math.min(120, Math.max(64, byShape, byHeight));
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
  const curve = (route) => {
    const bends = controls(route).map((point) => relative(route[0], route[route.length - 1], point));
    return { weights: bends.map((b) => b.weight), distances: bends.map((b) => b.distance) };
  };

  const points = data.nodes.map((node) => place(node.x, node.y));
  const routes = data.edges.map((edge) =>
    [points[edge.source], ...edge.bends.map(([x, y]) => place(x, y)), points[edge.target]]);
  const nodes = data.nodes.map((node, k) => ({
    data: { id: `n${k}`, name: node.name, width: widths[k] }, position: { ...points[k] },
  }));
  // lines that are close together are thin
  const [thinnest, range] = data.edges.length > 150 ? [0.5, 2.5] : [0.8, 4.2];
  const edges = data.edges.map((edge, k) => {
    const thickness = edge.probability === undefined ? 2 : thinnest + range * edge.probability;
    return {
      data: {
        id: `e${k}`, source: `n${edge.source}`, target: `n${edge.target}`, ...curve(routes[k]),
        width: thickness, litWidth: Math.max(4.5, thickness + 1.5), arrow: 0.8 + 0.1 * thickness,
      },
      classes: [edge.support, edge.isOpen ? "open" : "", routes[k].length > 2 ? "bent" : "",
        edge.isAside ? "aside" : ""].join(" "),
    };
  });

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const sheet = () => [
    { selector: "node", style: {
      label: "data(name)", width: "data(width)", height: HEIGHT, shape: "round-rectangle",
      "background-color": colour("paper"), "border-width": 1.2, "border-color": colour("soft-ink"),
      color: colour("ink"), "font-size": FONT, "font-family": "system-ui, sans-serif",
      "text-valign": "center", "text-halign": "center",
      "text-wrap": "ellipsis", "text-max-width": LONGEST, "min-zoomed-font-size": LEAST_FONT,
    } },
    { selector: "edge", style: {
      width: "data(width)", "line-color": colour("neither"), "target-arrow-color": colour("neither"),
      "target-arrow-shape": "triangle", "arrow-scale": "data(arrow)", "curve-style": "straight",
    } },
    { selector: ".bent", style: {
      "curve-style": "unbundled-bezier", "edge-distances": "node-position",
      "control-point-weights": "data(weights)", "control-point-distances": "data(distances)",
    } },
    // no room was kept for these: an arc tells them from what they cross
    { selector: ".aside", style: {
      "curve-style": "unbundled-bezier", "control-point-weights": [0.5], "control-point-distances": [36],
    } },
    ...["data", "beliefs", "both", "neither"].map((kind) => ({
      selector: `edge.${kind}`,
      style: { "line-color": colour(kind), "target-arrow-color": colour(kind) },
    })),
    { selector: ".open", style: { "line-style": "dashed", "line-dash-pattern": [7, 4] } },
    { selector: ".faded", style: { opacity: 0.25 } },
    { selector: "edge.lit", style: { width: "data(litWidth)", "z-index": 10 } },
    { selector: "node.lit", style: { "border-width": 2, "border-color": colour("ink") } },
    { selector: "node.end", style: {
      "border-width": 3, "border-color": colour("ink"), "font-weight": 600,
      "background-color": colour("warm"),
    } },
    { selector: ".weak", style: { display: "none" } },
    { selector: ".weak.lit", style: { display: "element" } },
    { selector: ".away", style: { display: "none" } },
  ];

  const cy = cytoscape({
    container, elements: { nodes, edges }, style: sheet(), layout: { name: "preset", fit: false },
    minZoom: 0.05, maxZoom: 4, autoungrabify: true, boxSelectionEnabled: false,
    selectionType: "single",
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => cy.style(sheet()));

  // -- where to look ------------------------------------------------------------------------------
  const shown = () => cy.elements(":visible"); // edges too: a curve may reach beyond all variables
  const showAll = () => {
    cy.fit(shown(), MARGIN);
    if (cy.zoom() > MOST_ZOOM) { cy.zoom(MOST_ZOOM); cy.center(shown()); }
  };
  // All of it if that can be read, else the surroundings of `middle`, and no more emptiness than needed.
  const showReadable = (middle) => {
    showAll();
    if (cy.zoom() >= READABLE) return;
    cy.zoom(READABLE);
    cy.center(middle);
    const box = shown().boundingBox(), { x1, x2, y1, y2, w, h } = cy.extent(), edge = MARGIN / READABLE;
    const inside = (low, high, from, to, size) =>
      (high - low + 2 * edge <= size ? (low + high - from - to) / 2
        : (from < low - edge ? low - edge - from : to > high + edge ? high + edge - to : 0));
    cy.panBy({
      x: -inside(box.x1, box.x2, x1, x2, w) * READABLE, y: -inside(box.y1, box.y2, y1, y2, h) * READABLE,
    });
    // no variable is cut in half at the top
    const top = cy.extent().y1, row = Math.round(top / layer) * layer, half = HEIGHT / 2 + 4;
    if (Math.abs(top - row) < half) cy.panBy({ x: 0, y: (top - row + half) * READABLE });
  };
  return { cy, widths, layer, points, routes, curve, colour, showAll, showReadable };
};
