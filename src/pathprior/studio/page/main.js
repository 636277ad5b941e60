// The frame of the page: steps, who speaks, undo.
import { change, listen, state, subscribe } from "./api.js";
import { choices } from "./dom.js";
import { makeData } from "./data.js";
import { makeBeliefs } from "./beliefs.js";
import { makeExperts } from "./experts.js";
import { makeRun } from "./run.js";
import { makeKeep } from "./keep.js";

const STEPS = ["data", "beliefs", "experts", "run", "keep"];
const byId = (id) => document.getElementById(id);
const tab = (step) => byId(`tab-${step}`);
const panel = (step) => byId(`panel-${step}`);

const shown = [];
const go = (step) => {
  for (const other of STEPS) {
    const isChosen = other === step;
    tab(other).setAttribute("aria-selected", String(isChosen));
    tab(other).tabIndex = isChosen ? 0 : -1;
    panel(other).hidden = !isChosen;
  }
  history.replaceState(null, "", `#${step}`);
  shown.forEach((call) => call(step));
};

for (const [k, step] of STEPS.entries()) {
  tab(step).addEventListener("click", () => go(step));
  tab(step).addEventListener("keydown", ({ key }) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!by) return;
    const next = STEPS[(k + by + STEPS.length) % STEPS.length];
    go(next);
    tab(next).focus();
  });
}

const beliefs = makeBeliefs(panel("beliefs"));
const views = {
  data: makeData(panel("data")),
  beliefs,
  experts: makeExperts(panel("experts")),
  run: makeRun(panel("run")),
  keep: makeKeep(panel("keep")),
};
shown.push((step) => views[step].shown?.());

// -- the top line ---------------------------------------------------------------------------------
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const renderTop = () => {
  const { session } = state;
  const parts = [
    session.data ?? "no data yet",
    plural(session.variables.length, "variable"),
    plural(session.beliefs.length, "belief"),
    ...(state.isConnected ? [`saved to ${session.files[session.speaker]}`] : []),
  ];
  byId("lead").textContent = parts.join(" · ");
  byId("gone").hidden = state.isConnected;
  byId("undo").disabled = !session.canUndo;
  byId("redo").disabled = !session.canRedo;
  choices(byId("speaker"), [["", "you"], ...session.experts.map((name) => [name, name])], session.speaker);
  document.body.classList.toggle("is-expert", session.speaker !== "");
};
byId("undo").addEventListener("click", () => change("undo"));
byId("redo").addEventListener("click", () => change("redo"));
byId("speaker").addEventListener("change", ({ target }) => change("speak", { name: target.value }));
document.addEventListener("keydown", (event) => {
  const isText = event.target.matches("input:not([type=range]), textarea");
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || isText) return;
  event.preventDefault();
  change(event.shiftKey ? "redo" : "undo");
});

subscribe((what) => {
  if (!state.session) return;
  renderTop();
  for (const view of Object.values(views)) view.render(what);
});

const first = location.hash.slice(1);
go(STEPS.includes(first) ? first : "data");
listen();
