// The variables, and the beliefs as lines between them. Dragging from one to another begins a statement.
import { state } from "./api.js";
import { h } from "./dom.js";
import { FONT, LINE, sheet } from "./graph_style.js";
import { arrange, LARGEST } from "./layout.js";
import { label } from "./names.js";
import { relative, routes } from "./routes.js";

const MARGIN = 12; // around the graph
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

  const elements = () => {
    const { session, reading } = state;
    const number = new Map(session.variables.map((name, k) => [name, k]));
    const ruler = document.createElement("canvas").getContext("2d");
    ruler.font = `${FONT}px system-ui, sans-serif`;
    const sizes = session.variables.map((name) => {
      const lines = label(name).split("\n");
      const width = Math.ceil(Math.max(...lines.map((line) => ruler.measureText(line).width)));
      return { width: width + 20, height: FONT * LINE * lines.length + 14 };
    });
    const { places, tall } = arrange(
      session.variables,
      session.tiers.filter((tier) => tier.length),
      sizes.map(({ width }) => width),
      container.clientWidth - 2 * MARGIN,
    );
    const nodes = session.variables.map((name, k) => ({
      data: { id: `n${k}`, name, label: label(name), ...sizes[k] },
      position: places[k],
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
    const boxes = places.map((place, k) => ({ ...place, ...sizes[k] }));
    const end = (id) => Number(id.slice(1));
    const all = [...edges, ...implied];
    const lines = all.map(({ data }) => [end(data.source), end(data.target)]);
    routes(lines, boxes).forEach((points, k) => {
      if (!points.length) return;
      const [from, to] = lines[k];
      Object.assign(all[k].data, relative(points, places[from], places[to]));
      all[k].classes += " turning";
    });
    return { nodes, edges: [...implied, ...edges], tall: tall + 2 * MARGIN };
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
      from.addClass("near");
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
      from.removeClass("near");
      cy.userPanningEnabled(true);
      const isIn = (node) => {
        const box = node.boundingBox({ includeLabels: false });
        return position.x >= box.x1 && position.x <= box.x2 && position.y >= box.y1 && position.y <= box.y2;
      };
      const to = cy.nodes().filter(isIn).first();
      if (to.nonempty() && to.id() !== from.id()) begin(from.data("name"), to.data("name"));
      from = null;
    });
    cy.on("mouseover", "node", ({ target }) => target.addClass("near"));
    cy.on("mouseout", "node", ({ target }) => target.removeClass("near"));
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
      render();
      showAll();
    }).observe(container);
  };
  const showAll = () => {
    cy.fit(cy.nodes(), MARGIN);
    if (cy.zoom() > LARGEST) {
      cy.zoom(LARGEST);
      cy.center();
    }
  };

  const render = () => {
    if (container.clientWidth === 0) return;
    if (!cy) start();
    const { nodes, edges, tall } = elements();
    container.style.height = `${tall}px`;
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
