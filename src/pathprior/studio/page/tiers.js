// Tiers: what comes first cannot be caused by what comes later. By dragging, or with the arrow keys.
import { change, state } from "./api.js";
import { button, h, show } from "./dom.js";
import { breakable } from "./names.js";

export const makeTiers = () => {
  const board = h("div", { class: "tiers" });
  const element = h(
    "section",
    { class: "card" },
    h("h2", {}, "What comes first"),
    h(
      "p",
      { class: "quiet", id: "tiers-help" },
      "Nothing is caused by what comes later, and nobody is told to set what is in the first tier. Drag a variable to a tier, or choose it and press ← or →.",
    ),
    board,
  );
  let added = 0;

  const tiersNow = () => {
    const { tiers } = state.session;
    return [...tiers, ...Array.from({ length: Math.max(tiers.length ? 0 : 2, added) }, () => [])];
  };
  // tier −1 is that of the free variables
  const move = (name, to) => {
    const tiers = tiersNow().map((tier) => tier.filter((other) => other !== name));
    if (to >= 0) (tiers[to] ?? tiers[tiers.push([]) - 1]).push(name);
    added = 0;
    return change("tiers", { tiers });
  };
  const chip = (name, tier) =>
    h(
      "button",
      {
        type: "button",
        class: "chip",
        draggable: "true",
        "data-key": `chip ${name}`,
        "aria-describedby": "tiers-help",
        "aria-label": `${name}, ${tier < 0 ? "free" : `tier ${tier + 1}`}`,
        ondragstart: (event) => event.dataTransfer.setData("text/plain", name),
        onkeydown: (event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (!by || tier + by < -1) return;
          event.preventDefault();
          move(name, tier + by);
        },
      },
      breakable(name),
    );
  const box = (title, names, tier) => {
    const place = h(
      "div",
      {
        class: "tier",
        role: "group",
        "aria-label": title,
        ondragover: (event) => {
          event.preventDefault();
          place.classList.add("over");
        },
        ondragleave: () => place.classList.remove("over"),
        ondrop: (event) => {
          event.preventDefault();
          const name = event.dataTransfer.getData("text/plain");
          if (state.session.variables.includes(name)) move(name, tier);
        },
      },
      h("h3", {}, title),
      names.map((name) => chip(name, tier)),
    );
    return place;
  };
  const render = () => {
    const tiers = tiersNow(),
      placed = new Set(tiers.flat());
    const free = state.session.variables.filter((name) => !placed.has(name));
    show(
      board,
      box("Free", free, -1),
      tiers.map((names, k) => box(`Tier ${k + 1}`, names, k)),
      button(
        "+ tier",
        () => {
          added += state.session.tiers.length || added ? 1 : 3;
          render();
        },
        { class: "small", "data-key": "add tier" },
      ),
    );
  };
  return { element, render };
};
