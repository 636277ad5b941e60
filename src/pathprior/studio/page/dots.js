// Probabilities on one line from 0 to 1: baseline as a tick, stated hollow, fitted full, after the data in blue.
import { svg } from "./dom.js";

const WIDTH = 130,
  HEIGHT = 16,
  EDGE = 7;
const at = (probability) => EDGE + probability * (WIDTH - 2 * EDGE);
const isThere = (value) => value !== null && value !== undefined;

export const dots = ({ baseline, stated, fitted, after, error, others = [] }) => {
  const middle = HEIGHT / 2;
  const line = (kind, from, to) =>
    svg("line", { class: kind, x1: at(from), x2: at(to), y1: middle, y2: middle });
  const dot = (kind, value, r) => svg("circle", { class: kind, cx: at(value), cy: middle, r });
  const clip = (value) => Math.min(1, Math.max(0, value));
  return svg(
    "svg",
    { class: "dots", width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    line("axis", 0, 1),
    isThere(baseline) &&
      svg("line", { class: "baseline", x1: at(baseline), x2: at(baseline), y1: 2, y2: HEIGHT - 2 }),
    isThere(stated) && isThere(fitted) && line("change", stated, fitted),
    isThere(after) && isThere(error) && line("error", clip(after - 2 * error), clip(after + 2 * error)),
    others.map((value) => dot("stated", value, 4.5)),
    isThere(stated) && dot("stated", stated, 4.5),
    isThere(fitted) && dot("fitted", fitted, 3),
    isThere(after) && dot("after", after, 3.5),
  );
};
