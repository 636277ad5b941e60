// The statement under way: two variables, what is said of them, how surely, and who says so.
import { change, send, state } from "./api.js";
import { button, choices, h, later, show } from "./dom.js";
import { inPercent, makeSlider, refuseNearlyCertain } from "./slider.js";
import { RELATIONS, STATEMENTS, STRENGTHS, VECTOR } from "./words.js";

const NEW = null;

export const makeEditor = (mark) => {
  const x = h("select", { id: "x", "aria-label": "First variable" });
  const relation = h("select", { id: "relation", "aria-label": "Statement" });
  const y = h("select", { id: "y", "aria-label": "Second variable" });
  const swap = button(
    "⇄",
    () => {
      [x.value, y.value] = [y.value, x.value];
      asked();
    },
    { "aria-label": "Swap the two variables", id: "swap-pair" },
  );
  const source = h("input", { id: "source", list: "sources", autocomplete: "off", maxlength: 200 });
  const sources = h("datalist", { id: "sources" });
  const study = h("select", { id: "study" });
  const strength = h("input", {
    id: "strength",
    type: "number",
    min: "0.000001",
    max: "1000000",
    step: "any",
    value: "3",
  });
  const four = RELATIONS.map(([symbol, text], k) =>
    h("input", {
      type: "number",
      min: "0",
      max: "100",
      step: "any",
      value: "25",
      id: `four-${k}`,
      "aria-label": `${symbol} ${text}, in percent`,
    }),
  );
  four.forEach(refuseNearlyCertain);
  const fourBox = h(
    "div",
    { class: "four", hidden: true },
    RELATIONS.map(([symbol, text], k) => h("label", { for: `four-${k}` }, `${symbol} ${text}`, four[k])),
  );
  const slider = makeSlider();
  const title = h("h2", {}, "Statement");
  const actions = h("div", { class: "actions" });
  const form = h(
    "form",
    { class: "statement" },
    h("div", { class: "pair" }, x, relation, y, swap),
    slider.element,
    fourBox,
    h(
      "div",
      { class: "origin" },
      h("label", { class: "from" }, "Source", source, sources),
      h("label", {}, "Kind of study", study),
      h("label", {}, "Strength", strength),
    ),
    actions,
  );
  const element = h("section", { class: "card", id: "editor" }, title, form);
  let number = NEW;

  choices(relation, STATEMENTS, "causes");
  choices(study, [...STRENGTHS, ["", "other"]], "3");
  study.addEventListener("change", () => {
    if (study.value) strength.value = study.value;
  });
  strength.addEventListener("input", () => {
    study.value = STRENGTHS.some(([value]) => value === strength.value) ? strength.value : "";
  });

  // -- the marks on the slider --------------------------------------------------------------------
  let asking = 0;
  let shown = 0; // the revision whose variables are to choose from
  const isAskable = () => relation.value !== VECTOR && x.value && x.value !== y.value;
  const askRange = later(async () => {
    if (!isAskable()) return; // the fields have changed since
    const mine = ++asking;
    const answer = await send("range", {
      revision: shown,
      x: x.value,
      relation: relation.value,
      y: y.value,
      source: source.value.trim(),
    });
    if (mine === asking) slider.mark(answer.ok ? await answer.json() : null);
  }, 120);
  const asked = () => {
    const isVector = relation.value === VECTOR;
    fourBox.hidden = !isVector;
    slider.element.hidden = isVector;
    mark(x.value, y.value);
    if (isAskable()) askRange();
    else {
      asking += 1;
      slider.mark(null);
    }
  };
  for (const field of [x, relation, y]) field.addEventListener("change", asked);
  source.addEventListener("change", asked);

  // -- what is in it ------------------------------------------------------------------------------
  const put = (belief) => {
    x.value = belief.x;
    y.value = belief.y;
    relation.value = belief.relation;
    source.value = belief.source;
    strength.value = String(belief.strength);
    study.value = STRENGTHS.some(([value]) => value === strength.value) ? strength.value : "";
    if (belief.relation === VECTOR)
      belief.probability.forEach((p, k) => {
        four[k].value = inPercent(p);
        four[k].setCustomValidity("");
      });
    else slider.set(belief.probability[0]);
    asked();
  };
  const content = () => ({
    x: x.value,
    relation: relation.value,
    y: y.value,
    strength: Number(strength.value),
    source: source.value.trim(),
    probability: relation.value === VECTOR ? four.map((input) => Number(input.value) / 100) : slider.value(),
  });
  const buttons = () =>
    show(
      actions,
      h("button", { type: "submit", class: "main" }, number === NEW ? "Add belief" : "Save changes"),
      number !== NEW && button("Remove", () => remove(number)),
      number !== NEW && button("Done", () => leave()),
    );
  const leave = () => {
    number = NEW;
    title.textContent = "Statement";
    buttons();
  };
  const remove = async (which) => {
    const isDone = await change("remove", { number: which });
    if (isDone && which === number) leave();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!form.reportValidity()) return;
    if (number === NEW) await change("add", { belief: content() });
    else if (await change("edit", { number, belief: content() })) leave();
  });

  const begin = (first, second, statement = "causes") => {
    leave();
    x.value = first;
    y.value = second;
    relation.value = statement;
    asked();
    element.scrollIntoView({ block: "nearest" });
    document.getElementById(relation.value === VECTOR ? "four-0" : "chance").focus();
  };
  const edit = (which) => {
    const belief = state.session.beliefs.find((one) => one.number === which);
    if (!belief || belief.isOrphan) return;
    number = which;
    title.textContent = "Change a statement";
    put(belief);
    buttons();
    element.scrollIntoView({ block: "nearest" });
    document.getElementById(belief.relation === VECTOR ? "four-0" : "chance").focus();
  };

  let known = "";
  const render = () => {
    const { session } = state;
    shown = session.revision;
    const now = JSON.stringify([session.variables, session.speaker]);
    if (now !== known) {
      known = now;
      const options = session.variables.map((name) => [name, name]);
      const [first = "", second = ""] = session.variables;
      choices(x, options, session.variables.includes(x.value) ? x.value : first);
      choices(
        y,
        options,
        session.variables.includes(y.value) && y.value !== x.value
          ? y.value
          : (session.variables.find((name) => name !== x.value) ?? second),
      );
      leave();
    }
    form.querySelector(".from").hidden = session.speaker !== "";
    if (number !== NEW && !session.beliefs.some((one) => one.number === number)) leave();
    sources.replaceChildren(
      ...[...new Set(session.beliefs.map((belief) => belief.source).filter(Boolean))].map((value) =>
        h("option", { value }),
      ),
    );
    asked();
  };
  slider.set(0.8);
  buttons();
  return { element, begin, edit, remove, render };
};
