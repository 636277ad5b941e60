// The beliefs as a list, each beside its baseline and what the fit makes of it.
import { state } from "./api.js";
import { button, h, number, show, table } from "./dom.js";
import { dots } from "./dots.js";
import { breakable } from "./names.js";

export const makeList = (editor) => {
  const filter = h("input", {
    type: "search",
    id: "filter",
    placeholder: "Filter",
    "aria-label": "Filter the beliefs",
  });
  const count = h("span", { class: "quiet", role: "status" });
  const missed = h("div", { id: "unmet", "aria-live": "polite" });
  const body = h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Beliefs" });
  const element = h(
    "section",
    { class: "card beliefs-list" },
    h("div", { class: "toolbar" }, h("h2", {}, "Beliefs"), count, filter),
    missed,
    body,
  );

  const row = (belief, clashing, unmet) => {
    const read = state.reading?.beliefs?.[belief.number];
    return belief.phrases.map((phrase, k) =>
      h(
        "tr",
        { class: clashing.has(belief.number) ? "clash" : "" },
        h(
          "td",
          {},
          button(breakable(phrase), () => editor.edit(belief.number), {
            "data-key": `edit ${belief.number} ${k}`,
            title: "Change it",
            disabled: belief.isOrphan || belief.isStatement,
          }),
          belief.isOrphan && h("small", { class: "tag" }, "not among the variables: left out"),
          belief.isStatement && h("small", {}, "without a probability: it counts in the run"),
          (belief.expert || belief.source) && h("small", {}, belief.expert || belief.source),
        ),
        h(
          "td",
          {},
          read && dots({ baseline: read.baseline[k], stated: belief.probability[k], fitted: read.fitted[k] }),
        ),
        h("td", { class: "number", "data-head": "baseline" }, number(read?.baseline[k])),
        h("td", { class: "number", "data-head": "stated" }, number(belief.probability[k])),
        h(
          "td",
          { class: "number", "data-head": "fitted" },
          fitted(read, k),
          unmet.has(belief.number) && h("small", { class: "tag" }, "not met"),
        ),
        h(
          "td",
          {},
          k === 0 &&
            button("✕", () => editor.remove(belief.number), {
              class: "small",
              "data-key": `remove ${belief.number}`,
              "aria-label": `Remove: ${phrase}`,
            }),
        ),
      ),
    );
  };
  const fitted = (read, k) => {
    if (!read) return "–";
    if (read.fitted[k] === undefined) return "…";
    return read.errors[k] > 0 ? `≈ ${number(read.fitted[k])}` : number(read.fitted[k]);
  };
  const render = () => {
    const { session, reading } = state;
    const wanted = filter.value.trim().toLowerCase();
    const matches = session.beliefs.filter((belief) =>
      [...belief.phrases, belief.source, belief.expert].some((text) => text.toLowerCase().includes(wanted)),
    );
    const clashing = new Set((reading?.conflicts ?? []).flatMap((conflict) => conflict.beliefs));
    count.textContent = wanted
      ? `${matches.length} of ${session.beliefs.length}`
      : String(session.beliefs.length);
    const heads = [
      ["Belief"],
      [""],
      ["Baseline", "number"],
      ["Stated", "number"],
      ["Fitted", "number"],
      [""],
    ];
    const told = reading?.unmet ?? [];
    const unmet = new Set(told.flatMap((one) => one.beliefs));
    const rows = matches.flatMap((belief) => row(belief, clashing, unmet));
    show(
      missed,
      told.length > 0 &&
        h(
          "div",
          { class: "unmet" },
          h("h3", {}, "Not met as stated"),
          h(
            "ul",
            {},
            told.map((one) => h("li", {}, one.sentence)),
          ),
        ),
    );
    show(
      body,
      rows.length
        ? table(heads, rows, { class: "list", id: "list" })
        : h("p", { class: "quiet" }, wanted ? "None matches." : "None yet."),
    );
  };
  filter.addEventListener("input", render);
  return { element, render };
};
