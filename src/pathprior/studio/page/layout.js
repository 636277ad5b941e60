// Where the variables stand, as large as the place allows.
const GAP = 34, // between boxes side by side
  ROW = 74, // from one row to the next
  STEP = 22, // how far every second column hangs lower
  BETWEEN = 40, // more than that from one tier to the next
  FEW = 10; // variables that stand on an ellipse where there are no tiers
const TALL = { least: 432, most: 720 }; // of the canvas, in pixels
export const LARGEST = 1.15; // zoom

// Places of the boxes, by variable, and how tall the canvas should be for them.
export const arrange = (names, tiers, widths, wide) => {
  const cell = Math.max(...widths, 60) + GAP;
  if (!tiers.length && names.length <= FEW) {
    const across = Math.min(340, Math.max(110, (wide - cell) / 2 / LARGEST)),
      down = 170;
    const places = names.map((_, k) => {
      const angle = 2 * Math.PI * (k / names.length) - Math.PI / 2;
      return { x: across * Math.cos(angle), y: down * Math.sin(angle) };
    });
    return { places, tall: TALL.least };
  }
  const placed = new Set(tiers.flat());
  const groups = [...tiers, names.filter((name) => !placed.has(name))].filter((group) => group.length);
  let best = null;
  for (let columns = 1; columns <= Math.min(names.length, 12); columns += 1) {
    const found = inRows(groups, columns, cell);
    const zoom = Math.min(1, wide / found.width, TALL.most / found.height);
    // of what is about as readable, the fewest rows
    if (!best || zoom > 1.1 * best.zoom || (zoom > 0.9 * best.zoom && found.height < best.height))
      best = { ...found, zoom };
  }
  const tall = Math.min(TALL.most, Math.max(TALL.least, best.height * best.zoom));
  return { places: names.map((name) => best.places.get(name)), tall: Math.round(tall) };
};

// Neighbours at different heights and rows half a box apart, so that few lines run through others.
const inRows = (groups, columns, cell) => {
  const places = new Map();
  let y = 0,
    odd = 0,
    widest = 1;
  for (const group of groups) {
    const rows = Math.ceil(group.length / columns),
      size = Math.ceil(group.length / rows);
    for (let k = 0; k < rows; k += 1) {
      const row = group.slice(k * size, (k + 1) * size);
      widest = Math.max(widest, row.length + (rows > 1 ? 0.5 : 0));
      row.forEach((name, place) => {
        const x = cell * (place - (size - 1) / 2 + (rows > 1 ? (odd - 0.5) / 2 : 0));
        places.set(name, { x, y: y + (place % 2 ? STEP : 0) });
      });
      odd = 1 - odd;
      y += ROW;
    }
    y += BETWEEN;
  }
  return { places, width: cell * widest, height: y - BETWEEN + STEP };
};
