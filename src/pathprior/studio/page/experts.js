// Experts: each answers by himself or herself; then it shows where they differ.
import { change, state } from "./api.js";
import { button, card, h, number, show, table } from "./dom.js";
import { dots } from "./dots.js";

export const makeExperts = (place) => {
  const name = h("input", { id: "expert-name", maxlength: 60, required: true, autocomplete: "off" });
  const form = h(
    "form",
    { class: "line-form" },
    h("label", { for: "expert-name" }, "Name"),
    name,
    h("button", { type: "submit" }, "Add expert"),
  );
  const people = h("div", {});
  const differences = h("div", {});
  place.append(
    h(
      "div",
      { class: "halves" },
      card(
        "Experts",
        h(
          "p",
          { class: "quiet" },
          "Each answers in a file of their own, without seeing the others. Who speaks stands at the top of the page.",
        ),
        form,
        people,
      ),
      card("Where they differ", differences),
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await change("expert", { name: name.value })) name.value = "";
  });
  const person = (expert) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, expert || "you"),
      h("td", {}, h("code", {}, state.session.files[expert])),
      h(
        "td",
        {},
        state.session.speaker === expert
          ? "speaks now"
          : button(expert ? `Hand over to ${expert}` : "Take over", () => change("speak", { name: expert }), {
              class: "small",
              "data-key": `speak ${expert}`,
            }),
      ),
    );
  const difference = ({ phrase, voices, spread }) =>
    h(
      "tr",
      {},
      h("td", {}, phrase),
      h("td", {}, dots({ others: voices.map((voice) => voice.stated) })),
      h(
        "td",
        {},
        voices.map((voice) => h("span", { class: "voice" }, `${voice.who} ${number(voice.stated)}`)),
      ),
      h("td", { class: "number" }, number(spread)),
    );
  const render = (what) => {
    if (what !== "session" && what !== "reading") return;
    const { session, reading } = state;
    show(people, table([["Who"], ["File"], [""]], ["", ...session.experts].map(person)));
    if (session.speaker) {
      show(differences, h("p", { class: "quiet" }, "Hidden while an expert speaks."));
      return;
    }
    const said = (reading?.disagreements ?? []).map((sentence) =>
      h("li", {}, `${sentence[0].toUpperCase()}${sentence.slice(1)}.`),
    );
    show(
      differences,
      session.overlay.length
        ? table(
            [["Statement"], [""], ["Who says what"], ["Apart", "number"]],
            session.overlay.map(difference),
          )
        : h("p", { class: "quiet" }, "Nobody differs yet: nothing has been said by two."),
      said.length > 0 && h("ul", { class: "rows" }, said),
    );
  };
  return { render };
};
