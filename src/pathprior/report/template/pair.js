// Two variables: how probably each of the four relations holds, and what setting one does to the other.
const probability = (p) => {
  if (p === 0 || p === 1) return `${p}`;
  if (p < 0.0005) return "below 0.001";
  if (p > 0.9995) return "above 0.999";
  return p.toFixed(p < 0.005 || p >= 0.995 ? 3 : 2);
};
// of graphs that were drawn and all agree, how far it may be from what they say
const withError = (p, error) => {
  if (error > 0 && (p === 0 || p === 1)) {
    const bound = Math.max(0.001, 2 * error);
    return p ? `above ${(1 - bound).toFixed(3)}` : `below ${bound.toFixed(3)}`;
  }
  return probability(p) + (error >= 0.0005 ? ` ± ${error.toFixed(error < 0.005 ? 3 : 2)}` : "");
};

// The relations of all pairs i < j, as `relation_data.py` packs them.
const readRelations = ({ probabilities, errors, unsettled }, size) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const shares = new Uint16Array(bytes(probabilities).buffer), roots = errors === null ? null : bytes(errors);
  const open = unsettled === null ? null : bytes(unsettled);
  const read = (x, y) => {
    const k = (x * (2 * size - x - 1)) / 2 + y - x - 1;
    const three = [0, 1, 2].map((n) => shares[3 * k + n] / 65535);
    const all = [...three, Math.max(0, 1 - three[0] - three[1] - three[2])];
    return all.map((p, n) => ({
      p: p < 1e-5 ? 0 : p, error: roots ? (roots[4 * k + n] / 255) ** 2 / 2 : 0, isSettled: !open || !((open[k] >> n) & 1),
    }));
  };
  return (x, y) => {
    if (x < y) return read(x, y);
    const [causes, causedBy, ...rest] = read(y, x);
    return [causedBy, causes, ...rest];
  };
};

const makePair = (data, onChoose) => {
  const card = document.getElementById("pair");
  if (!card) return { choose: () => {}, show: () => {}, relations: null };
  const [fromX, fromY] = ["pair-x", "pair-y"].map((id) => document.getElementById(id));
  const answer = document.getElementById("pair-answer");
  const relations = data.relations && readRelations(data.relations, data.nodes.length);
  const effects = new Map(data.effects.pairs.map((effect) => [`${effect.x},${effect.y}`, effect]));
  card.hidden = false;

  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  // a label, a line from 0 to 1 with a bar or an interval on it, and the number
  const row = (label, number, draw) => {
    const line = make("li"), axis = make("span", "", "axis");
    axis.append(...draw);
    line.append(make("span", label, "label"), axis, make("span", number, "number"));
    return line;
  };
  const piece = (className, from, to) => {
    const part = make("i", "", className);
    part.style.left = `${100 * from}%`;
    part.style.width = `${100 * (to - from)}%`;
    return part;
  };

  const inWords = (x, y, [causes, causedBy, confounded, unrelated]) => {
    const unknown = `How ${x} and ${y} are related has not settled: `
      + "the chains do not agree, or were not compared.";
    const how = (p) => (p >= 0.99 ? "almost surely" : p >= 0.9 ? "very probably" : "probably");
    for (const [{ p, isSettled }, sentence] of [
      [causes, (w) => `${x} ${w} causes ${y}.`],
      [causedBy, (w) => `${y} ${w} causes ${x}.`],
      [confounded, (w) => `${x} and ${y} ${w} have a common cause, and neither causes the other.`],
      [unrelated, (w) => `${x} and ${y} ${w} have nothing to do with each other.`],
    ]) if (p >= 0.7) return isSettled ? sentence(how(p)) : unknown;
    const related = 1 - unrelated.p;
    if (related >= 0.9 && !unrelated.isSettled) return unknown;
    if (related < 0.9 && ![causes, causedBy, confounded, unrelated].every(({ isSettled }) => isSettled)) return unknown;
    if (related >= 0.9) return `${x} and ${y} are related; which way is open.`;
    return `How ${x} and ${y} are related is open.`;
  };

  const showRelations = (x, y) => {
    const [nameX, nameY] = [data.nodes[x].name, data.nodes[y].name];
    if (!relations) return [make("p", data.relationsMissing, "quiet")];
    const found = relations(x, y), list = make("ul", "", "bars");
    const labels = [
      `${nameX} causes ${nameY}`, `${nameY} causes ${nameX}`, "a common cause, no path", "nothing links them",
    ];
    found.forEach(({ p, error, isSettled }, k) => {
      const line = row(labels[k], withError(p, error), [piece(`bar ${isSettled ? "" : "unsettled"}`, 0, p)]);
      if (!isSettled) line.lastChild.append(make("small", "not settled", "unsettled"));
      list.append(line);
    });
    return [make("p", inWords(nameX, nameY, found), "verdict"), list];
  };

  const showEffect = (x, y) => {
    const [nameX, nameY] = [data.nodes[x].name, data.nodes[y].name];
    const head = make("h3", `If ${nameX} were set`), effect = effects.get(`${x},${y}`);
    if (!effect) {
      const isNone = relations && relations(x, y)[0].p < 0.05 && relations(x, y)[0].isSettled;
      const why = isNone ? `${nameY} would hardly change: ${nameX} probably does not cause it.` : data.effects.missing;
      return [head, make("p", why, "quiet")];
    }
    const parts = [head], kind = effect.isSettled ? "" : "unsettled";
    for (const { title, rows } of effect.groups) {
      const list = make("ul", "", "bars");
      for (const { label, mean, low, high } of rows) {
        list.append(row(label, `${mean.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`,
          [piece(`interval ${kind}`, low, high), piece(`mean ${kind}`, mean, mean)]));
      }
      parts.push(make("p", title, "quiet"), list);
    }
    for (const sentence of effect.sentences) parts.push(make("p", sentence, "quiet"));
    return parts;
  };

  const show = (x, y) => {
    fromX.value = data.nodes[x].name;
    fromY.value = data.nodes[y].name;
    answer.replaceChildren(...showRelations(x, y), ...showEffect(x, y));
  };
  const find = (input) => data.nodes.findIndex(({ name }) => name.toLowerCase() === input.value.trim().toLowerCase());
  const read = () => {
    const [x, y] = [find(fromX), find(fromY)];
    if (x < 0 || y < 0) answer.replaceChildren(make("p", "Name two of the variables.", "quiet"));
    else if (x === y) answer.replaceChildren(make("p", "Name two different variables.", "quiet"));
    else { show(x, y); onChoose(x, y); }
  };
  for (const input of [fromX, fromY]) input.addEventListener("change", read);
  document.getElementById("swap").addEventListener("click", () => {
    [fromX.value, fromY.value] = [fromY.value, fromX.value];
    read();
  });
  if (data.first) show(...data.first);
  return {
    choose: show, relations,
    show: () => card.scrollIntoView({ block: "nearest", behavior: "smooth" }),
  };
};
