// Beliefs: the graph, the statement under way, what follows, and the list.
import { state } from "./api.js";
import { h } from "./dom.js";
import { makeEditor } from "./editor.js";
import { makeFollows } from "./follows.js";
import { makeGraph } from "./graph.js";
import { makeList } from "./list.js";

export const makeBeliefs = (place) => {
  const editor = makeEditor((x, y) => graph.mark(x, y));
  const graph = makeGraph(
    (x, y) => editor.begin(x, y),
    (number) => editor.edit(number),
  );
  const follows = makeFollows(editor);
  const list = makeList(editor);
  place.append(
    h(
      "div",
      { class: "desk" },
      graph.element,
      h("div", { class: "column" }, editor.element, follows.element),
      list.element,
    ),
  );
  const render = (what) => {
    if (what === "session") editor.render();
    if (what === "session" || what === "reading") {
      graph.render();
      list.render();
    }
    if (what !== "run") follows.render();
  };
  return {
    render,
    shown: () => {
      if (state.session) graph.resize();
    },
  };
};
