// Elements from plain values. Texts are always text: no name of the user's is ever parsed as HTML.
const SVG = "http://www.w3.org/2000/svg";

const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-") && typeof value !== "string") element[name] = value;
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
};

export const h = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat(Infinity).filter(Boolean));
  return element;
};

// New content in place of the old; the focus stays on what has the same data-key.
export const show = (container, ...children) => {
  const held = document.activeElement;
  const key = container.contains(held) ? held.dataset.key : undefined;
  container.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  if (key !== undefined) container.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
};

export const button = (label, onclick, attributes = {}) =>
  h("button", { type: "button", onclick, ...attributes }, label);

export const card = (title, ...children) => h("section", { class: "card" }, h("h2", {}, title), ...children);

export const table = (heads, rows, attributes = {}) =>
  h(
    "table",
    attributes,
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map(([text, kind]) => h("th", { scope: "col", class: kind }, text)),
      ),
    ),
    h("tbody", {}, rows),
  );

export const choices = (select, options, chosen) => {
  select.replaceChildren(
    ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );
  select.value = chosen;
};

export const number = (value, digits = 2) =>
  value === null || value === undefined || Number.isNaN(value) ? "–" : value.toFixed(digits);

export const later = (call, wait) => {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), wait);
  };
};
