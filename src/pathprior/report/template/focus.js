// One variable with what it comes from and what it leads to, drawn close together: rows and the order
// within them stay as they are, what is not part of it goes, and all move up.
const makeFocus = (data, graph) => {
  const { cy, widths, layer, points, routes, curve } = graph;
  const GAP = 22, PASSING = 16, SWEEPS = 20;

  // Nearest places to the targets that keep the order and these distances: isotonic regression.
  const settle = (targets, offsets) => {
    const blocks = [];
    targets.forEach((target, k) => {
      blocks.push({ sum: target - offsets[k], count: 1 });
      for (let last = blocks.length - 1; last > 0; last -= 1) {
        const [a, b] = [blocks[last - 1], blocks[last]];
        if (a.sum / a.count <= b.sum / b.count) break;
        blocks.splice(last - 1, 2, { sum: a.sum + b.sum, count: a.count + b.count });
      }
    });
    return blocks.flatMap(({ sum, count }) => Array(count).fill(sum / count)).map((x, k) => x + offsets[k]);
  };

  const pack = (chosen, edges) => {
    const depths = [...new Set(chosen.map((k) => data.nodes[k].y))].sort((a, b) => a - b);
    const rows = new Map(depths.map((depth) => [depth, []]));
    const add = (depth, item) => { rows.get(depth).push(item); return item; };
    const items = new Map(chosen.map((k) =>
      [k, add(data.nodes[k].y, { x: points[k].x, half: widths[k] / 2, near: [] })]));
    const chains = edges.map((k) => {
      const { source, target, bends } = data.edges[k];
      const passed = bends.map(([, depth], n) => [depth, routes[k][n + 1].x])
        .filter(([depth]) => rows.has(depth))
        .map(([depth, x]) => add(depth, { x, half: PASSING / 2, near: [], depth }));
      const chain = [items.get(source), ...passed, items.get(target)];
      chain.slice(1).forEach((item, n) => { item.near.push(chain[n]); chain[n].near.push(item); });
      return chain;
    });
    for (const row of rows.values()) {
      row.sort((a, b) => a.x - b.x);
      let at = 0;
      row.offsets = row.map((item, n) => { at += n ? row[n - 1].half + item.half + GAP : 0; return at; });
      row.forEach((item, n) => { item.x = row.offsets[n] - at / 2; });
    }
    const sweep = (row) => {
      const targets = row.map(({ near, x }) =>
        (near.length ? near.reduce((sum, other) => sum + other.x, 0) / near.length : x));
      settle(targets, row.offsets).forEach((x, n) => { row[n].x = x; });
    };
    for (let k = 0; k < SWEEPS; k += 1) {
      const order = [...rows.values()];
      (k % 2 ? order.reverse() : order).forEach(sweep);
    }
    const heights = new Map(depths.map((depth, n) => [depth, n * layer]));
    chosen.forEach((k) => cy.getElementById(`n${k}`).position({ x: items.get(k).x, y: heights.get(data.nodes[k].y) }));
    edges.forEach((k, n) => {
      const { source, target } = data.edges[k], chain = chains[n];
      bend(k, chain.map(({ x, depth }, m) => ({ x, y: heights.get(
        m === 0 ? data.nodes[source].y : m === chain.length - 1 ? data.nodes[target].y : depth) })));
    });
  };
  const bend = (k, route) => {
    const edge = cy.getElementById(`e${k}`);
    edge.data(curve(route));
    edge.toggleClass("bent", route.length > 2);
  };

  return {
    // the variables are nodes' numbers, the edges those whose routes count
    enter: (chosen, edges) => cy.batch(() => {
      const kept = new Set(chosen);
      cy.nodes().forEach((node, k) => { node.toggleClass("away", !kept.has(k)); });
      pack(chosen, edges);
    }),
    leave: () => cy.batch(() => {
      cy.nodes().removeClass("away").forEach((node, k) => { node.position({ ...points[k] }); });
      routes.forEach((route, k) => bend(k, route));
    }),
  };
};
