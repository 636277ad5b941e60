// A probability: by slider or number, in words, percent and as n of 100, beside the baseline and what is allowed.
import { h, svg } from "./dom.js";
import { inWords, ofHundred, percent } from "./words.js";

const SQUARES = 100,
  ACROSS = 25,
  SIDE = 9;

const besideBaseline = (probability, baseline) => {
  const usual = `Without any belief it is ${percent(baseline)}`;
  if (probability === 0 || probability === 1) return `${usual}: this rules graphs out altogether.`;
  return probability < baseline ? `${usual}: below it, this counts against the statement.` : `${usual}.`;
};

const besideOthers = ({ lower, upper, isWhole, isWithinTiers }) => {
  const tiers = isWithinTiers ? " and the tiers" : "";
  if (lower === null) return `The other beliefs${tiers} contradict each other already.`;
  if (lower <= 0.0005 && upper >= 0.9995) return `The other beliefs${tiers} leave it open.`;
  const who = `${isWhole ? "The other beliefs" : "The nearest of the other beliefs"}${tiers}`;
  return `${who} allow ${percent(lower)} to ${percent(upper)}.`;
};

/** A probability in percent, short, but never as 0 or 100 if it is not. */
export const inPercent = (probability) => {
  const short = Number((100 * probability).toFixed(10));
  const isCertain = probability === 0 || probability === 1;
  return String((short === 0 || short === 100) && !isCertain ? 100 * probability : short);
};

/** Let a field of percents refuse what would be rounded to 0 or 100. */
export const refuseNearlyCertain = (input) =>
  input.addEventListener("input", () => {
    const number = Number(input.value) / 100;
    const isRounded = (number >= 0 && number < 1e-300 && /[1-9]/.test(input.value.split(/e/i)[0])) ||
      (number === 1 && !/^\+?0*100\.?0*$/.test(input.value));
    input.setCustomValidity(isRounded ? "Too near to 0 or 100 to be told from it: write 0 or 100 if that is meant." : "");
  });

export const makeSlider = () => {
  const range = h("input", {
    type: "range",
    id: "chance",
    min: "0",
    max: "100",
    step: "1",
    value: "80",
    "aria-describedby": "chance-help",
  });
  const exact = h("input", {
    type: "number",
    id: "chance-number",
    min: "0",
    max: "100",
    step: "any",
    value: "80",
    "aria-label": "Probability in percent",
  });
  const words = h("output", { for: "chance", id: "chance-words" });
  const help = h("p", { class: "quiet", id: "chance-help" });
  const track = svg("svg", {
    class: "track",
    viewBox: "0 0 100 10",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const hundred = svg("svg", {
    class: "hundred",
    viewBox: `0 0 ${ACROSS * SIDE} ${(SQUARES / ACROSS) * SIDE}`,
    "aria-hidden": "true",
  });
  const squares = Array.from({ length: SQUARES }, (_, k) =>
    svg("rect", {
      x: (k % ACROSS) * SIDE,
      y: Math.floor(k / ACROSS) * SIDE,
      width: SIDE - 2,
      height: SIDE - 2,
      rx: 1.5,
    }),
  );
  hundred.append(...squares);
  const element = h(
    "div",
    { class: "chance" },
    h("label", { for: "chance" }, "How sure"),
    h("div", { class: "rail" }, track, range),
    h("div", { class: "said" }, words, h("span", {}, exact, " %")),
    hundred,
    help,
  );
  let marks = null;

  const value = () => Number(exact.value) / 100;
  const describe = () => {
    const p = value();
    words.textContent = `${inWords(p)}: ${ofHundred(p)}`;
    range.setAttribute("aria-valuetext", `${inWords(p)}, ${ofHundred(p)}`);
    squares.forEach((square, k) => square.setAttribute("class", k < Math.round(100 * p) ? "on" : "off"));
    if (!marks) {
      help.textContent = "";
      return;
    }
    help.textContent = `${besideBaseline(p, marks.baseline)} ${besideOthers(marks)}`;
    const { lower, upper } = marks;
    const isOutside = lower !== null && (p < lower - 1e-6 || p > upper + 1e-6);
    element.classList.toggle("outside", isOutside);
  };
  const draw = () => {
    const line = (kind, from, to, y1 = 5, y2 = 5) =>
      svg("line", { class: kind, x1: 100 * from, x2: 100 * to, y1, y2 });
    track.replaceChildren(line("whole", 0, 1));
    if (!marks) return;
    const { baseline, lower, upper } = marks;
    if (lower !== null) track.append(line("allowed", lower, upper));
    track.append(line("usual", baseline, baseline, 0, 10));
  };
  range.addEventListener("input", () => {
    exact.value = range.value;
    exact.setCustomValidity("");
    describe();
  });
  refuseNearlyCertain(exact);
  exact.addEventListener("input", () => {
    range.value = exact.value;
    describe();
  });
  const set = (probability) => {
    exact.value = inPercent(probability);
    exact.setCustomValidity("");
    range.value = exact.value;
    describe();
  };
  const mark = (found) => {
    marks = found;
    draw();
    describe();
  };
  return { element, value, set, mark };
};
