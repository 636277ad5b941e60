// What follows from the beliefs: conflicts, pairs that nobody spoke of, and what to ask next.
import { state } from "./api.js";
import { button, h, number, show } from "./dom.js";
import { dots } from "./dots.js";
import { breakable } from "./names.js";

export const makeFollows = (editor) => {
  const standing = h("p", { class: "quiet", role: "status", id: "standing" });
  const bar = h("progress", { max: 100, hidden: true, "aria-label": "Exact fit" });
  const conflicts = h("div", { id: "conflicts", "aria-live": "polite" });
  const implied = h("div", { id: "implied" });
  const questions = h("div", { id: "questions" });
  const element = h(
    "section",
    { class: "card follows" },
    h("h2", {}, "What follows"),
    standing,
    bar,
    conflicts,
    implied,
    questions,
  );

  const conflictItem = ({ sentence, beliefs }, k) =>
    h(
      "li",
      {},
      sentence[0].toUpperCase(),
      sentence.slice(1),
      ". ",
      beliefs.map((which) => {
        const belief = state.session.beliefs.find((one) => one.number === which);
        return (
          belief &&
          button(`${belief.phrases[0]} …`, () => editor.edit(which), {
            class: "small",
            "data-key": `conflict ${k} ${which}`,
            title: "Change it",
          })
        );
      }),
    );
  const impliedItem = (pair) =>
    h(
      "li",
      {},
      h(
        "span",
        { class: "what" },
        button(breakable(pair.phrase), () => editor.begin(pair.x, pair.y, pair.relation), {
          class: "plain",
          "data-key": `implied ${pair.phrase}`,
        }),
        h(
          "small",
          {},
          `${number(pair.before)} without beliefs, now ${number(pair.now)} ± ${number(pair.error, 3)}`,
        ),
      ),
      dots({ baseline: pair.before, after: pair.now, error: pair.error }),
    );
  const questionItem = ({ x, y, sentence }) =>
    h(
      "li",
      {},
      h("span", { class: "what" }, breakable(sentence)),
      button("Answer", () => editor.begin(x, y), {
        class: "small",
        "data-key": `question ${x} ${y}`,
        "aria-label": `Answer: ${x} and ${y}`,
      }),
    );

  const standingOf = (reading) => {
    if (!reading) return "Reading …";
    if (reading.error) return reading.error;
    if (reading.isTooWide) return "Too many variables to say what follows while you wait: the run tells.";
    if (reading.revision !== state.session.revision) return "Reading …";
    if (reading.isFinal) return `Fitted under ${reading.reference}.`;
    return reading.isExact
      ? "Fitted exactly; what follows is being drawn more finely."
      : "Estimates; the exact fit is under way.";
  };
  const render = () => {
    const { reading, progress } = state;
    standing.textContent = standingOf(reading);
    bar.hidden = !progress?.[0] || reading?.isFinal === true;
    if (progress) bar.value = (100 * progress[0]) / progress[1];
    element.classList.toggle("old", Boolean(reading) && reading.revision !== state.session.revision);
    if (!reading?.conflicts) {
      show(conflicts);
      show(implied);
      show(questions);
      return;
    }
    show(
      conflicts,
      reading.conflicts.length > 0 &&
        h(
          "div",
          { class: "conflicts" },
          h("h3", {}, "These cannot hold together"),
          h("ul", {}, reading.conflicts.map(conflictItem)),
        ),
    );
    show(
      implied,
      reading.implied.length > 0 && [
        h("h3", {}, `Your beliefs now imply${reading.isWithinTiers ? ", within the tiers" : ""}`),
        h("ul", { class: "rows" }, reading.implied.map(impliedItem)),
      ],
    );
    show(
      questions,
      reading.questions.length > 0 && [
        h("h3", {}, "Ask next"),
        h("ul", { class: "rows" }, reading.questions.slice(0, 1).map(questionItem)),
      ],
    );
  };
  return { element, render };
};
