// Data: which file, what its columns hold, what becomes of them.
import { ask, change, notice, state } from "./api.js";
import { button, card, choices, h, show, table } from "./dom.js";
import { makeImport } from "./import.js";
import { breakable } from "./names.js";
import { makeTiers } from "./tiers.js";

const KINDS = {
  binary: "two states",
  categorical: "states",
  count: "counts",
  continuous: "measured",
  date: "dates",
  id: "identifier",
  constant: "one value",
  missing: "empty",
  unreadable: "unreadable",
};

export const makeData = (place) => {
  const select = h("select", { id: "file" });
  const picked = h("input", {
    type: "file",
    id: "upload",
    class: "unseen",
    accept: ".csv,.tsv,.txt,.gz,.parquet,.xlsx,.xls",
  });
  const summary = h("p", { class: "quiet", id: "totals" });
  const columns = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Columns" });
  const zone = h(
    "div",
    { class: "drop" },
    h("label", { for: "file" }, "File "),
    select,
    h("span", { class: "quiet" }, " or drop one here, or "),
    picked,
    h("label", { for: "upload", class: "like-button" }, "choose one"),
  );
  const tiers = makeTiers();
  place.append(
    h(
      "div",
      { class: "halves" },
      card("Data", zone, summary, columns),
      h("div", { class: "column" }, tiers.element, makeImport()),
    ),
  );

  const open = (name) => change("open", { name });
  const upload = async (file) => {
    const found = await ask(`data/${encodeURIComponent(file.name)}`, file, "PUT");
    if (found) open(found.name);
  };
  select.addEventListener("change", () => {
    if (select.value) open(select.value);
  });
  picked.addEventListener("change", () => {
    if (picked.files.length) upload(picked.files[0]);
    picked.value = "";
  });
  for (const kind of ["dragover", "dragenter"]) {
    zone.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files.length) upload(event.dataTransfer.files[0]);
    else notice("That was no file.");
  });

  const remedyButton = (column, remedy) =>
    button(
      remedy.label,
      () =>
        remedy.isChosen
          ? change("propose", { column: column.name })
          : change("remedy", { column: column.name, option: remedy.option, value: remedy.value }),
      {
        class: "small",
        "aria-pressed": String(remedy.isChosen),
        title: remedy.line,
        "data-key": `${column.name} ${remedy.option} ${remedy.value}`,
        "aria-label": `${column.name}: ${remedy.label}`,
      },
    );
  const row = (column) =>
    h(
      "tr",
      { class: column.isDropped ? "dropped" : "" },
      h("th", { scope: "row" }, breakable(column.name)),
      h("td", {}, KINDS[column.kind]),
      h("td", { class: "number" }, String(column.values)),
      h("td", { class: "number" }, column.missing ? String(column.missing) : ""),
      h(
        "td",
        {},
        column.summary,
        column.isChanged &&
          h(
            "code",
            { class: "line" },
            column.remedies.filter((remedy) => remedy.isChosen).map((remedy) => h("span", {}, remedy.line)),
          ),
      ),
      h(
        "td",
        { class: "remedies" },
        column.remedies.map((remedy) => remedyButton(column, remedy)),
      ),
    );

  const render = (what) => {
    if (what !== "session") return;
    const { session } = state;
    const files = session.dataFiles.map((name) => [name, name]);
    choices(select, session.data === null ? [["", "choose …"], ...files] : files, session.data ?? "");
    summary.textContent = session.totals;
    const heads = [
      ["Column"],
      ["Holds"],
      ["Values", "number"],
      ["Gaps", "number"],
      ["What is done"],
      ["Instead"],
    ];
    show(
      columns,
      session.columns.length ? table(heads, session.columns.map(row), { class: "columns" }) : null,
    );
    tiers.render();
  };
  return { render };
};
