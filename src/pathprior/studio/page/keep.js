// What stays: files in the folder, or downloads.
import { ask, state } from "./api.js";
import { button, card, h, show, table } from "./dom.js";

export const makeKeep = (place) => {
  const list = h("div", {});
  const done = h("p", { role: "status", class: "quiet", id: "kept" });
  const keep = async () => {
    const answer = await ask("keep", {});
    if (answer)
      done.textContent = answer.names.length
        ? `Written to the folder: ${answer.names.join(", ")}.`
        : "There is nothing to write yet.";
  };
  place.append(
    card(
      "Keep",
      h(
        "p",
        { class: "quiet" },
        "Beliefs are saved after every change. The rest is written when you say so; files of the same name are replaced.",
      ),
      list,
      h("p", {}, button("Write to the folder", keep, { class: "main", id: "write" })),
      done,
    ),
  );
  const row = ([name, what, href, isThere]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", {}, what),
      h(
        "td",
        {},
        isThere
          ? h("a", { href, download: name }, "Download", h("span", { class: "unseen" }, ` ${name}`))
          : h("span", { class: "quiet" }, "after a run"),
      ),
    );
  const render = () => {
    const { session, run } = state;
    const hasRun = run.state === "done",
      beliefs = session.files[""];
    show(
      list,
      table(
        [["File"], ["What it is"], [""]],
        [
          [
            beliefs,
            "what you believe, for pathprior, Python and spreadsheets",
            `api/file/${encodeURIComponent(beliefs)}`,
            true,
          ],
          [
            "analysis.py",
            "a Python script that repeats everything",
            "api/file/analysis.py",
            session.data !== null,
          ],
          ["report.html", "the report of the run, one file", "report?save", hasRun],
          ["network.dagitty", "the learned network, for DAGitty", "api/file/network.dagitty", hasRun],
        ].map(row),
      ),
    );
  };
  return { render };
};
