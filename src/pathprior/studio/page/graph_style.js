// How the graph of the beliefs looks, in the colours of the page.
export const FONT = 13,
  LINE = 1.2; // height of a line of text, in letters

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export const sheet = () => [
  {
    selector: "node",
    style: {
      label: "data(label)",
      width: "data(width)",
      height: "data(height)",
      shape: "round-rectangle",
      "font-size": FONT,
      "font-family": "system-ui, sans-serif",
      color: colour("ink"),
      "text-valign": "center",
      "text-wrap": "wrap",
      "line-height": LINE,
      "background-color": colour("paper"),
      "border-width": 1.2,
      "border-color": colour("soft-ink"),
    },
  },
  { selector: "node.marked", style: { "border-width": 2.5, "border-color": colour("data") } },
  {
    // what the pointer is on can be read, however small the graph is
    selector: "node.near",
    style: {
      label: "data(name)",
      "font-size": (node) => Math.max(FONT, FONT / node.cy().zoom()),
      "text-background-color": colour("paper"),
      "text-background-opacity": 1,
      "text-background-padding": 4,
      "z-index": 9,
    },
  },
  { selector: "node.ghost", style: { opacity: 0, width: 1, height: 1, label: "" } },
  {
    selector: "edge",
    style: {
      width: "data(width)",
      "curve-style": "straight",
      "line-color": colour("beliefs"),
      "target-arrow-color": colour("beliefs"),
      "source-arrow-color": colour("beliefs"),
      "target-arrow-shape": "data(to)",
      "source-arrow-shape": "data(from)",
      "arrow-scale": 1.1,
    },
  },
  {
    // around what would be in the way
    selector: "edge.turning",
    style: {
      "curve-style": "round-segments",
      "edge-distances": "node-position",
      "segment-distances": (edge) => edge.data("distances"),
      "segment-weights": (edge) => edge.data("weights"),
      "segment-radii": 9,
    },
  },
  { selector: "edge.not", style: { "line-style": "dashed" } },
  {
    selector: "edge.clash",
    style: {
      "line-color": colour("disagrees"),
      "target-arrow-color": colour("disagrees"),
      "source-arrow-color": colour("disagrees"),
    },
  },
  {
    selector: "edge.implied",
    style: {
      width: 1.5,
      "line-style": "dotted",
      "line-color": colour("data"),
      "target-arrow-color": colour("data"),
      events: "no",
    },
  },
  {
    selector: "edge.drawing",
    style: {
      width: 2,
      "line-color": colour("data"),
      "target-arrow-color": colour("data"),
      events: "no",
    },
  },
];
