// How lines go around the boxes of other variables: shortest ways along the corners of these.
const ROOM = 6, // between a corner and the line around it
  TURN = 25, // what a turn counts for, in length
  SHARED = 40, // and a corner that another line turns at
  APART = 24; // between two lines of one pair
const MOST = 90; // boxes around which ways are looked for; among more, lines are straight

// For each line, between the boxes of two variables, the points where it turns.
export const routes = (lines, boxes) => {
  if (boxes.length > MOST) return lines.map(() => []);
  const corners = boxes.flatMap((box) => cornersOf(box)).filter((point) => !isBlocked(point, point, boxes));
  const seen = corners.map(() => []); // what is seen from a corner, as far as it was asked
  const sees = (i, j) => (seen[Math.min(i, j)][Math.max(i, j)] ??= !isBlocked(corners[i], corners[j], boxes));
  const uses = corners.map(() => 0);
  const taken = new Map();
  return lines.map(([from, to]) => {
    const pair = from < to ? `${from} ${to}` : `${to} ${from}`;
    const before = taken.get(pair) ?? 0;
    taken.set(pair, before + 1);
    const way = (a, b) => {
      const found = shortest(a, b, { corners, sees, uses, boxes, own: [from, to] });
      found.forEach((k) => (uses[k] += 1));
      return found.map((k) => corners[k]);
    };
    const [a, b] = [boxes[from], boxes[to]];
    if (!before) return way(a, b);
    const point = beside(a, b, before * (from < to ? 1 : -1), boxes);
    return point ? [...way(a, point), point, ...way(point, b)] : way(a, b);
  });
};

const cornersOf = ({ x, y, width, height }) =>
  [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([h, v]) => ({ x: x + h * (width / 2 + ROOM), y: y + v * (height / 2 + ROOM) }));

// Whether a box is on the line from a to b; those numbered in `own` are not in its way.
const isBlocked = (a, b, boxes, own = []) =>
  boxes.some((box, k) => !own.includes(k) && crosses(a, b, box, ROOM - 1));

const crosses = (a, b, box, room) => {
  let first = 0,
    last = 1;
  for (const [at, size] of [
    ["x", "width"],
    ["y", "height"],
  ]) {
    const low = box[at] - box[size] / 2 - room,
      high = box[at] + box[size] / 2 + room,
      step = b[at] - a[at];
    if (step === 0) {
      if (a[at] <= low || a[at] >= high) return false;
    } else {
      const [near, far] = [(low - a[at]) / step, (high - a[at]) / step].sort((s, t) => s - t);
      first = Math.max(first, near);
      last = Math.min(last, far);
    }
  }
  return first < last;
};

// Dijkstra's way from a to b, as the numbers of corners; straight where there is none.
const shortest = (a, b, { corners, sees, uses, boxes, own }) => {
  if (!isBlocked(a, b, boxes, own)) return [];
  const length = (p, q) => Math.hypot(p.x - q.x, p.y - q.y);
  const turn = (k) => TURN + SHARED * uses[k];
  const isOpen = corners.map(() => true);
  const cost = corners.map((corner, k) =>
    isBlocked(a, corner, boxes, own) ? Infinity : length(a, corner) + turn(k),
  );
  const rest = corners.map((corner) => (isBlocked(corner, b, boxes, own) ? Infinity : length(corner, b)));
  const before = corners.map(() => -1);
  let best = Infinity,
    end = -1;
  for (;;) {
    let next = -1;
    for (let k = 0; k < corners.length; k += 1)
      if (isOpen[k] && cost[k] < best && (next < 0 || cost[k] < cost[next])) next = k;
    if (next < 0) break;
    isOpen[next] = false;
    if (cost[next] + rest[next] < best) [best, end] = [cost[next] + rest[next], next];
    for (let k = 0; k < corners.length; k += 1) {
      if (!isOpen[k]) continue;
      const through = cost[next] + length(corners[next], corners[k]) + turn(k);
      if (through < cost[k] && sees(next, k)) [cost[k], before[k]] = [through, next];
    }
  }
  const found = [];
  for (let k = end; k >= 0; k = before[k]) found.unshift(k);
  return found;
};

// A point beside the middle of a and b that is in no box, on alternate sides for one line after the other.
const beside = (a, b, turn, boxes) => {
  const [dx, dy] = [b.x - a.x, b.y - a.y],
    length = Math.hypot(dx, dy) || 1;
  const number = Math.abs(turn),
    side = Math.sign(turn) * (number % 2 ? 1 : -1);
  for (let far = APART * Math.ceil(number / 2); far < length + 4 * APART; far += APART / 2) {
    const point = {
      x: (a.x + b.x) / 2 - (side * far * dy) / length,
      y: (a.y + b.y) / 2 + (side * far * dx) / length,
    };
    if (!isBlocked(point, point, boxes)) return point;
  }
  return null;
};

// Points as cytoscape has them: how far along the line from a to b, and how far beside it.
export const relative = (points, a, b) => {
  const [dx, dy] = [b.x - a.x, b.y - a.y],
    square = dx * dx + dy * dy || 1;
  return {
    weights: points.map((p) => ((p.x - a.x) * dx + (p.y - a.y) * dy) / square),
    distances: points.map((p) => ((p.y - a.y) * dx - (p.x - a.x) * dy) / Math.sqrt(square)),
  };
};
