// The variables, and the beliefs as lines between them. Dragging from one to another begins a statement.
import { state } from "./api.js";
import { h } from "./dom.js";

const FONT = 13,
  LONGEST = 130;
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const SHAPES = {
  causes: ["none", "triangle"],
  "caused-by": ["triangle", "none"],
  "not-causes": ["none", "tee"],
  associated: ["none", "none"],
  "not-associated": ["tee", "tee"],
  confounded: ["triangle", "triangle"],
  vector: ["none", "none"],
  direct: ["none", "vee"],
  "not-direct": ["none", "tee"],
};

export const makeGraph = (begin, edit) => {
  const container = h("div", {
    class: "canvas",
    tabindex: 0,
    role: "application",
    "aria-label":
      "The variables and the beliefs on them. Drag from one variable to another to say something of the two; without a mouse, choose them under Statement. The list below holds the same beliefs.",
  });
  const element = h(
    "section",
    { class: "card sketchpad", "aria-label": "Graph of the beliefs" },
    container,
    h("p", { class: "quiet hint" }, "Drag from one variable to another to say how they are related."),
    h(
      "ul",
      { class: "legend", "aria-label": "Lines" },
      h("li", {}, h("i", { class: "key beliefs" }), "stated"),
      h("li", {}, h("i", { class: "key clash" }), "in a conflict"),
      h("li", {}, h("i", { class: "key implied" }), "follows from what was stated"),
    ),
  );
  let cy = null,
    drawn = "";

  const sheet = () => [
    {
      selector: "node",
      style: {
        label: "data(name)",
        width: "data(width)",
        height: 30,
        shape: "round-rectangle",
        "font-size": FONT,
        "font-family": "system-ui, sans-serif",
        color: colour("ink"),
        "text-valign": "center",
        "text-max-width": LONGEST,
        "text-wrap": "ellipsis",
        "background-color": colour("paper"),
        "border-width": 1.2,
        "border-color": colour("soft-ink"),
      },
    },
    { selector: "node.marked", style: { "border-width": 2.5, "border-color": colour("data") } },
    { selector: "node.ghost", style: { opacity: 0, width: 1, height: 1, label: "" } },
    {
      selector: "edge",
      style: {
        width: "data(width)",
        "curve-style": "bezier",
        "line-color": colour("beliefs"),
        "target-arrow-color": colour("beliefs"),
        "source-arrow-color": colour("beliefs"),
        "target-arrow-shape": "data(to)",
        "source-arrow-shape": "data(from)",
        "arrow-scale": 1.1,
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
        // bent, so that few run behind a variable
        width: 1.5,
        "line-style": "dotted",
        "curve-style": "unbundled-bezier",
        "control-point-distances": 36,
        "control-point-weights": 0.5,
        "line-color": colour("data"),
        "target-arrow-color": colour("data"),
        events: "no",
      },
    },
    {
      selector: "edge.drawing",
      style: { width: 2, "line-color": colour("data"), "target-arrow-color": colour("data"), events: "no" },
    },
  ];

  // tiers side by side, earliest on top; without tiers an ellipse, in the order of the columns
  const places = (variables, tiers) => {
    const ratio = Math.max(1, container.clientWidth / Math.max(1, container.clientHeight));
    if (!tiers.length) {
      const radius = Math.max(150, 22 * variables.length);
      return variables.map((_, k) => {
        const angle = 2 * Math.PI * (k / variables.length) - Math.PI / 2;
        return { x: Math.min(2, ratio) * radius * Math.cos(angle), y: radius * Math.sin(angle) };
      });
    }
    const placed = new Set(tiers.flat());
    const rows = [...tiers, variables.filter((name) => !placed.has(name))]
      .flatMap(wrapped)
      .filter((row) => row.length);
    return variables.map((name) => {
      const y = rows.findIndex((row) => row.includes(name)),
        row = rows[y],
        x = row.indexOf(name);
      // neighbours at different heights, so that lines between them do not run through others
      return { x: 165 * (x - (row.length - 1) / 2), y: 170 * y + (x % 2 ? 46 : 0) };
    });
  };
  const wrapped = (tier) => {
    const rows = Math.ceil(tier.length / 7),
      size = Math.ceil(tier.length / Math.max(1, rows));
    return Array.from({ length: rows }, (_, k) => tier.slice(k * size, (k + 1) * size));
  };

  const elements = () => {
    const { session, reading } = state;
    const number = new Map(session.variables.map((name, k) => [name, k]));
    const ruler = document.createElement("canvas").getContext("2d");
    ruler.font = `${FONT}px system-ui, sans-serif`;
    const points = places(
      session.variables,
      session.tiers.filter((tier) => tier.length),
    );
    const nodes = session.variables.map((name, k) => ({
      data: { id: `n${k}`, name, width: Math.min(LONGEST, Math.ceil(ruler.measureText(name).width)) + 24 },
      position: points[k],
    }));
    const clashing = new Set((reading?.conflicts ?? []).flatMap((conflict) => conflict.beliefs));
    const edges = session.beliefs
      .filter((belief) => !belief.isOrphan && !belief.isStatement)
      .map((belief) => ({
        data: {
          id: `b${belief.number}`,
          source: `n${number.get(belief.x)}`,
          target: `n${number.get(belief.y)}`,
          from: SHAPES[belief.relation][0],
          to: SHAPES[belief.relation][1],
          width: 1.5 + 3 * Math.max(...belief.probability),
        },
        classes: [
          belief.relation.startsWith("not") ? "not" : "",
          clashing.has(belief.number) ? "clash" : "",
        ].join(" "),
      }));
    const implied = (reading?.implied ?? [])
      .filter(({ x, y }) => number.has(x) && number.has(y))
      .map((pair, k) => ({
        data: {
          id: `i${k}`,
          source: `n${number.get(pair.x)}`,
          target: `n${number.get(pair.y)}`,
          from: "none",
          to: pair.relation === "causes" ? "triangle" : "none",
          width: 1.5,
        },
        classes: "implied",
      }));
    return { nodes, edges: [...implied, ...edges] };
  };

  const start = () => {
    cy = window.cytoscape({
      container,
      style: sheet(),
      minZoom: 0.1,
      maxZoom: 2.5,
      autoungrabify: true,
      boxSelectionEnabled: false,
      userZoomingEnabled: true,
    });
    container.cy = cy; // for scripts that look at the page
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => cy.style(sheet()));
    let from = null;
    cy.on("tapstart", "node", ({ target, position }) => {
      from = target;
      cy.userPanningEnabled(false);
      cy.add([
        { data: { id: "ghost", name: "", width: 1 }, classes: "ghost", position },
        {
          data: { id: "line", source: from.id(), target: "ghost", from: "none", to: "triangle", width: 2 },
          classes: "drawing",
        },
      ]);
    });
    cy.on("tapdrag", ({ position }) => {
      if (from) cy.getElementById("ghost").position(position);
    });
    cy.on("tapend", ({ position }) => {
      if (!from) return;
      cy.remove("#ghost, #line");
      cy.userPanningEnabled(true);
      const isIn = (node) => {
        const box = node.boundingBox({ includeLabels: false });
        return position.x >= box.x1 && position.x <= box.x2 && position.y >= box.y1 && position.y <= box.y2;
      };
      const to = cy.nodes().filter(isIn).first();
      if (to.nonempty() && to.id() !== from.id()) begin(from.data("name"), to.data("name"));
      from = null;
    });
    cy.on("tap", "edge", ({ target }) => {
      if (target.id().startsWith("b")) edit(Number(target.id().slice(1)));
    });
    const zoom = (factor) =>
      cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
    const keys = {
      ArrowLeft: () => cy.panBy({ x: 60, y: 0 }),
      ArrowRight: () => cy.panBy({ x: -60, y: 0 }),
      ArrowUp: () => cy.panBy({ x: 0, y: 60 }),
      ArrowDown: () => cy.panBy({ x: 0, y: -60 }),
      "+": () => zoom(1.3),
      "-": () => zoom(1 / 1.3),
      0: showAll,
    };
    container.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
      keys[event.key]();
      event.preventDefault();
    });
    new ResizeObserver(() => {
      cy.resize();
      showAll();
    }).observe(container);
  };
  const showAll = () => {
    cy.fit(cy.nodes(), 24);
    if (cy.zoom() > 1.15) {
      cy.zoom(1.15);
      cy.center();
    }
  };

  const render = () => {
    if (container.clientWidth === 0) return;
    if (!cy) start();
    const { nodes, edges } = elements();
    const now = JSON.stringify(nodes);
    cy.batch(() => {
      if (now !== drawn) {
        cy.elements().remove();
        cy.add(nodes);
      } else cy.edges().remove();
      cy.add(edges);
    });
    if (now !== drawn) showAll();
    drawn = now;
  };
  const mark = (x, y) =>
    cy?.batch(() => {
      cy.nodes().removeClass("marked");
      cy.nodes()
        .filter((node) => [x, y].includes(node.data("name")))
        .addClass("marked");
    });
  return {
    element,
    render,
    mark,
    resize: () => {
      render();
      cy?.resize();
    },
  };
};
