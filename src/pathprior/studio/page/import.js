// Beliefs from elsewhere: a belief file, or a graph drawn with DAGitty.
import { ask, change, notice } from "./api.js";
import { button, card, choices, h } from "./dom.js";

const MEANINGS = [
  ["direct", "directly causes"],
  ["causes", "causes"],
];

// UTF-16 where it says so, as spreadsheets write it, else UTF-8
const textOf = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = { "255 254": "utf-16le", "254 255": "utf-16be" }[mark] ?? "utf-8";
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
};

export const makeImport = () => {
  const done = h("p", { role: "status", class: "quiet", id: "imported" });
  const picked = h("input", { type: "file", id: "belief-file", class: "unseen", accept: ".csv,.json,.tsv,.txt" });
  const code = h("textarea", {
    id: "dagitty",
    rows: 5,
    spellcheck: "false",
    placeholder: "dag { smoking -> cough; age -> { smoking cough } }",
  });
  const meaning = h("select", { id: "arrow-meaning" });
  choices(meaning, MEANINGS, "direct");
  const chance = h("input", { id: "arrow-chance", type: "number", min: "0", max: "100", step: "any", value: "80" });
  const source = h("input", { id: "arrow-source", maxlength: 100, autocomplete: "off" });

  const bringIn = async (what, content) => {
    done.textContent = "";
    const found = await ask(`read/${what}`, content);
    if (found && (await change("import", { beliefs: found.beliefs })))
      done.textContent = `Added: ${found.said} Undo takes them back.`;
  };
  const importFile = async (file) => {
    let text;
    try {
      text = await textOf(file);
    } catch {
      notice(`${file.name} is not text in UTF-8: save it so.`);
      return;
    }
    await bringIn("file", { name: file.name, text });
  };
  const importGraph = () => {
    if (chance.reportValidity() && chance.value !== "")
      bringIn("graph", {
        text: code.value,
        relation: meaning.value,
        probability: Number(chance.value) / 100,
        source: source.value,
      });
  };
  picked.addEventListener("change", () => {
    if (picked.files.length) importFile(picked.files[0]);
    picked.value = "";
  });
  return card(
    "Beliefs from elsewhere",
    h(
      "p",
      { class: "quiet" },
      "They are added to those of whoever speaks, as a copy: the file itself stays as it is.",
    ),
    h(
      "p",
      {},
      "A belief file, CSV or JSON: ",
      picked,
      h("label", { for: "belief-file", class: "like-button" }, "choose one"),
    ),
    h("p", {}, h("label", { for: "dagitty" }, "Or a graph, as DAGitty code:")),
    code,
    h(
      "div",
      { class: "line-form" },
      h("span", { class: "labelled" }, h("label", { for: "arrow-meaning" }, "An arrow says"), meaning),
      h("span", { class: "labelled" }, h("label", { for: "arrow-chance" }, "Percent sure"), chance),
      h("span", { class: "labelled" }, h("label", { for: "arrow-source" }, "Source"), source),
      button("Add", importGraph, { id: "add-graph" }),
    ),
    h(
      "p",
      { class: "quiet" },
      "Pairs without an arrow are left open, and 100 % allows no graph without the arrow. ",
      "Latent variables, and lines that are no arrows, are left out.",
    ),
    done,
  );
};
