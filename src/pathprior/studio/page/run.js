// The run: a network learned, graphs weighed, and what the data make of each belief.
import { ask, state } from "./api.js";
import { button, card, choices, h, number, show, table } from "./dom.js";
import { dots } from "./dots.js";

export const makeRun = (place) => {
  const limit = h("input", { id: "limit", type: "number", min: "1", max: "86400", step: "1", value: "60" });
  const controls = h("div", { class: "line-form" });
  const standing = h("p", { role: "status", id: "run-standing" });
  const results = h("div", { class: "results" });
  place.append(
    card(
      "Run",
      h(
        "p",
        { class: "quiet" },
        "Fits all beliefs, learns the network from the data and weighs others beside it. Cancel ends it at once.",
      ),
      h(
        "div",
        { class: "line-form" },
        h("label", { for: "limit" }, "Seconds for weighing graphs, at most"),
        limit,
        controls,
      ),
      standing,
    ),
    results,
  );

  const run = () => {
    if (limit.reportValidity()) ask("run", { timeLimit: Number(limit.value) });
  };
  const standingOf = (now) => {
    if (now.state === "running") return `${now.stage} … ${now.detail}`;
    if (now.state === "failed") return `It failed: ${now.error}`;
    if (now.state === "cancelled") return "Cancelled.";
    if (now.state === "none") return "";
    if (now.state === "hidden") return "Hidden while an expert speaks.";
    const isOld = now.result.revision !== state.session.revision;
    return `${now.result.ending}${isOld ? " The beliefs or the data have changed since: run again." : ""}`;
  };
  const belief = (row) =>
    h(
      "tr",
      {},
      h("td", {}, row.phrase, h("small", {}, row.sentence), row.edge && h("small", {}, row.edge)),
      h("td", {}, dots(row)),
      ...["baseline", "stated", "fitted", "after"].map((name) =>
        h("td", { class: "number", "data-head": name }, number(row[name])),
      ),
      h(
        "td",
        { class: row.isContradicted ? "disagrees" : row.evidence.includes(" for") ? "agrees" : "" },
        row.evidence,
      ),
    );
  // where the chains do not agree on the numbers; of a belief the evidence says so
  const tag = (row) => !row.isSettled && h("small", { class: "unsettled" }, "not settled");
  const edge = (row) =>
    h(
      "tr",
      {},
      h("td", {}, `${row.parent} → ${row.child}`, tag(row)),
      ...["eitherWay", "probability", "error"].map((name) =>
        h("td", { class: "number" }, number(row[name], 3)),
      ),
    );

  const source = (row) =>
    h(
      "tr",
      {},
      h("td", {}, row.source, tag(row)),
      h("td", { class: "number" }, String(row.statements)),
      ...["before", "reliability", "low", "high"].map((name) =>
        h("td", { class: "number" }, number(row[name])),
      ),
    );

  const pictureCard = ({ picture, dag }) => {
    const swatch = ([colour, phrase]) => {
      const line = h("span", { "aria-hidden": "true" }, "━ ");
      line.style.color = colour;
      return h("li", {}, line, phrase);
    };
    return card(
      "The network learned",
      h(
        "div",
        { class: "scroll picture", tabindex: 0, role: "region", "aria-label": "The network learned" },
        // as a picture, which runs nothing
        h("img", {
          src: `data:image/svg+xml,${encodeURIComponent(picture.svg)}`,
          alt: dag.map(([parent, child]) => `${parent} → ${child}`).join(", ") || "no edges",
        }),
      ),
      h(
        "ul",
        { class: "keys quiet" },
        picture.colours.map(swatch),
        picture.hasOpen && h("li", {}, "╌ direction left open"),
      ),
    );
  };
  const effectCard = ({ effects, nodes }) => {
    const select = h("select", { "aria-label": "Effect" });
    const body = h("div", {});
    if (!effects.pairs.length) return card("Effects", h("p", { class: "quiet" }, effects.missing));
    choices(
      select,
      effects.pairs.map(({ x, y }, k) => [String(k), `${nodes[x]} on ${nodes[y]}`]),
      "0",
    );
    const showEffect = () => {
      const { groups, sentences } = effects.pairs[Number(select.value)];
      show(
        body,
        groups.map(({ title, rows }) => [h("h3", {}, title), h("ul", { class: "bars" }, rows.map(bar))]),
        sentences.map((text) => h("p", { class: "quiet" }, text)),
      );
    };
    select.addEventListener("change", showEffect);
    showEffect();
    return card("What setting one does to another", select, body);
  };
  const bar = ({ label, mean, low, high }) => {
    const interval = h("i", { class: "interval" }),
      middle = h("i", { class: "mean" });
    interval.style.left = `${100 * low}%`;
    interval.style.right = `${100 * (1 - high)}%`;
    middle.style.left = `${100 * mean}%`;
    return h(
      "li",
      {},
      h("span", { class: "label" }, label),
      h("span", { class: "axis" }, interval, middle),
      h("span", { class: "number" }, `${number(mean)} (${number(low)} to ${number(high)})`),
    );
  };

  const beliefHeads = [
    ["Belief"],
    [""],
    ["Baseline", "number"],
    ["Stated", "number"],
    ["Fitted", "number"],
    ["After the data", "number"],
    ["Evidence"],
  ];
  const sourceHeads = [
    ["Source"],
    ["Statements", "number"],
    ["Before", "number"],
    ["After the data", "number"],
    ["From", "number"],
    ["To", "number"],
  ];
  const edgeHeads = [["Edge"], ["Either way", "number"], ["Probability", "number"], ["Error", "number"]];
  const resultsOf = (result) => [
    h(
      "p",
      {},
      h("a", { href: "report", target: "_blank", rel: "noopener", class: "like-button" }, "Open the report"),
      " ",
      h("span", { class: "quiet" }, `${result.numEdges} edges, ${result.numRows} rows`),
    ),
    result.warnings.length > 0 &&
      h(
        "ul",
        { class: "warning" },
        result.warnings.map((text) => h("li", {}, text)),
      ),
    pictureCard(result),
    result.beliefs.length > 0 &&
      card(
        "From baseline to after the data",
        h(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": "Beliefs after the data" },
          table(beliefHeads, result.beliefs.map(belief), { class: "list" }),
        ),
      ),
    result.together?.length > 0 &&
      card(
        "How parents act together",
        h(
          "ul",
          { class: "quiet" },
          result.together.map((text) => h("li", {}, text)),
        ),
      ),
    result.sources.length > 0 &&
      card("How often sources are right", table(sourceHeads, result.sources.map(source))),
    h(
      "div",
      { class: "halves" },
      card(
        "Edges",
        h(
          "div",
          { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Edges" },
          table(edgeHeads, result.edges.map(edge)),
        ),
      ),
      effectCard(result),
    ),
  ];
  let drawn = null;
  const render = () => {
    const { session } = state;
    const now = session.speaker ? { state: "hidden" } : state.run;
    const isRunning = now.state === "running";
    const isOff = session.data === null || session.speaker !== "";
    show(
      controls,
      isRunning
        ? button("Cancel", () => ask("cancel", {}), { "data-key": "run" })
        : button("Run", run, { class: "main", "data-key": "run", disabled: isOff }),
    );
    standing.textContent = standingOf(now);
    standing.className = now.state === "failed" ? "disagrees" : isRunning ? "running" : "quiet";
    if (now.result === drawn) return;
    drawn = now.result;
    show(results, drawn ? resultsOf(drawn) : null);
  };
  return { render };
};
