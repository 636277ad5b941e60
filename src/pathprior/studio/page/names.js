// Names of variables, broken where a reader would break them: after _, -, . and /, never inside a word.
import { h } from "./dom.js";

const PARTS = /[^\s_\-./]*[\s_\-./]+|[^\s_\-./]+/g;
const LONGEST = 18, // letters of a line in the graph
  LINES = 2;

// A text for the page, which may be broken between the parts of names.
export const breakable = (text) => (text.match(PARTS) ?? [text]).flatMap((part) => [part, h("wbr")]);

// A name for the graph, on a line or two; the end of a very long one is left out.
export const label = (name) => {
  const lines = [""];
  for (const part of name.match(PARTS) ?? [name]) {
    if (lines.at(-1) && (lines.at(-1) + part).length > LONGEST) lines.push("");
    lines[lines.length - 1] += part;
  }
  const shown = lines.slice(0, LINES).map((line) => line.trimEnd());
  if (lines.length > LINES) shown[LINES - 1] += "…";
  return shown
    .map((line) => (line.length > LONGEST + 2 ? `${line.slice(0, LONGEST)}…` : line))
    .join("\n");
};
