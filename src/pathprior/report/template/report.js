// What is chosen, pointed at, hidden and in focus.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const container = document.getElementById("graph");
  const note = document.getElementById("note");
  const hint = "Drag to move, scroll to zoom; point at a variable or an edge to learn more.";
  const graph = makeGraph(data, container);
  const { cy } = graph;
  const focus = makeFocus(data, graph);
  const overview = makeOverview(graph, document.getElementById("overview"));
  const node = (k) => cy.getElementById(`n${k}`), edge = (k) => cy.getElementById(`e${k}`);
  const number = (element) => Number(element.id().slice(1));
  const collect = (elements) => elements.reduce((all, one) => all.union(one), cy.collection());
  let threshold = 0, pinned = null, current = null, inFocus = null;

  // -- the graph as it is shown: edges above the threshold ----------------------------------------
  const isShown = (k) => data.edges[k].probability === undefined || data.edges[k].probability >= threshold;
  const shownEdges = () => data.edges.map((_, k) => k).filter(isShown);
  const reach = (start, from, to) => {
    const next = new Map();
    for (const k of shownEdges()) {
      const { [from]: a, [to]: b } = data.edges[k];
      next.set(a, [...(next.get(a) || []), b]);
    }
    const found = new Set([start]);
    for (const k of found) for (const other of next.get(k) || []) found.add(other);
    return found;
  };
  const effectsOf = (k) => reach(k, "source", "target"), causesOf = (k) => reach(k, "target", "source");
  // all directed paths from x to y, from y to x, or from the nearest common causes
  const connect = (x, y) => {
    const [aboveX, aboveY] = [causesOf(x), causesOf(y)];
    let legs = aboveY.has(x) ? [[x, y]] : aboveX.has(y) ? [[y, x]] : [];
    if (!legs.length) {
      const common = [...aboveX].filter((k) => aboveY.has(k));
      const inner = new Set(shownEdges().map((k) => data.edges[k])
        .filter(({ source, target }) => common.includes(source) && common.includes(target))
        .map(({ source }) => source));
      legs = common.filter((k) => !inner.has(k)).flatMap((k) => [[k, x], [k, y]]);
    }
    const between = legs.map(([top, end]) => [effectsOf(top), causesOf(end)]);
    return shownEdges().filter((k) => between.some(([below, above]) =>
      below.has(data.edges[k].source) && above.has(data.edges[k].target)));
  };

  // -- lighting up: a pinned choice stays, pointing at things shows on top of nothing else --------
  const light = (lit, ends, text) => {
    cy.batch(() => {
      cy.elements().removeClass("lit end faded");
      if (lit) {
        cy.elements().not(lit).not(ends).addClass("faded");
        lit.addClass("lit");
      }
      if (ends) ends.addClass("end");
    });
    note.textContent = text;
  };
  const rest = () => (pinned ? light(pinned.lit, pinned.ends, pinned.text) : light(null, null, hint));
  const isSeen = (elements) => {
    const seen = cy.extent(), box = elements.boundingBox();
    return box.x1 >= seen.x1 && box.x2 <= seen.x2 && box.y1 >= seen.y1 && box.y2 <= seen.y2;
  };
  const pin = (choice) => {
    for (const other of document.querySelectorAll(".chosen")) {
      other.classList.remove("chosen");
      other.querySelector("button").setAttribute("aria-pressed", "false");
    }
    const isSame = choice && choice.row && pinned && pinned.row === choice.row;
    pinned = choice && !isSame ? choice : null;
    if (pinned) {
      if (inFocus !== null && pinned.ends.some((end) => end.hasClass("away"))) leaveFocus();
      if (pinned.row) {
        pinned.row.classList.add("chosen");
        pinned.row.querySelector("button").setAttribute("aria-pressed", "true");
      }
      rest();
      const all = pinned.ends.union(pinned.lit || []);
      if (!isSeen(all)) lookAt(all, pinned.ends);
    } else rest();
    overview.drawAll();
  };
  // what does not fit at a size that can be read is looked at from one of its ends
  const lookAt = (all, ends) => {
    const box = all.boundingBox(), margin = 32;
    const zoom = Math.min(cy.width() / (box.w + margin), cy.height() / (box.h + margin), cy.zoom());
    if (zoom >= READABLE) cy.zoom(zoom); else if (cy.zoom() < READABLE) cy.zoom(READABLE);
    cy.center(zoom >= READABLE ? all : ends.first());
  };

  // -- what can be chosen -------------------------------------------------------------------------
  const names = (nodes) => nodes.map((k) => data.nodes[k].name).join(", ") || "none";
  const describe = (k) => {
    const edges = shownEdges().map((e) => data.edges[e]);
    const causes = edges.filter(({ target }) => target === k).map(({ source }) => source);
    const effects = edges.filter(({ source }) => source === k).map(({ target }) => target);
    const { name, note } = data.nodes[k];
    return `${name}. Causes: ${names(causes)}. Effects: ${names(effects)}.${note ? ` ${note}` : ""}`;
  };
  const describeEdge = (k) => {
    const { source, target, probability: either, forward, note: said } = data.edges[k];
    const [a, b] = [data.nodes[source].name, data.nodes[target].name];
    if (either === undefined) return said;
    const ways = `${a} → ${b} ${probability(forward)}, ${b} → ${a} ${probability(Math.max(0, either - forward))}`;
    return `${a} and ${b} are linked with probability ${probability(either)}: ${ways}. ${said}`.trim();
  };
  const around = (k) => {
    const edges = shownEdges().filter((e) => data.edges[e].source === k || data.edges[e].target === k);
    return collect([...edges.map(edge), ...edges.flatMap((e) => [node(data.edges[e].source), node(data.edges[e].target)])]);
  };
  const choosePair = (x, y, choice) => {
    const edges = connect(x, y);
    const lit = collect(edges.flatMap((k) => [edge(k), node(data.edges[k].source), node(data.edges[k].target)]));
    const [a, b] = [data.nodes[x].name, data.nodes[y].name];
    const text = edges.length ? `The paths that link ${a} and ${b}.` : `No path shown here links ${a} and ${b}.`;
    pin({ lit, ends: collect([node(x), node(y)]), text, ...choice });
  };
  const pair = makePair(data, choosePair);
  makeMap(data, pair, choosePair);
  const chooseBelief = (row) => {
    const { x, y, nodes, edges, note: text } = data.beliefs[Number(row.dataset.belief)];
    pair.choose(x, y);
    if (!edges) { choosePair(x, y, { row }); return; }
    pin({ row, lit: collect([...nodes.map(node), ...edges.map(edge)]), ends: collect([node(x), node(y)]), text });
  };
  const chooseEdge = (k, row) => {
    pair.choose(data.edges[k].source, data.edges[k].target);
    pin({ row, lit: edge(k), ends: edge(k).connectedNodes(), text: describeEdge(k) });
  };
  const chooseNode = (k, row) => {
    if (current !== null && current !== k) pair.choose(current, k);
    current = k;
    pin({ row, lit: around(k), ends: node(k), text: describe(k) });
  };
  document.addEventListener("click", (event) => {
    const row = event.target.closest("[data-belief], [data-edge], [data-about]");
    if (!row) return;
    if (row.dataset.belief !== undefined) chooseBelief(row);
    else if (row.dataset.edge !== undefined) chooseEdge(Number(row.dataset.edge), row);
    else {
      const [x, y] = row.dataset.about.split(",").map(Number);
      if (y === undefined) { chooseNode(x, row); return; }
      pair.choose(x, y);
      choosePair(x, y, { row });
    }
  });

  // -- pointing at the graph and at steps ---------------------------------------------------------
  cy.on("mouseover", "node", ({ target }) => light(around(number(target)), target, describe(number(target))));
  cy.on("mouseover", "edge", ({ target }) =>
    light(target, target.connectedNodes(), describeEdge(number(target))));
  cy.on("mouseout", "node, edge", rest);
  cy.on("tap", "node", ({ target }) => chooseNode(number(target)));
  cy.on("tap", "edge", ({ target }) => chooseEdge(number(target)));
  cy.on("dbltap", "node", ({ target }) => toggleFocus(number(target)));
  cy.on("tap", (event) => { if (event.target === cy) clear(); });
  for (const mark of document.querySelectorAll(".step")) {
    const edgesOf = collect(data.steps[Number(mark.dataset.step)].map(edge));
    mark.addEventListener("mouseenter", () => {
      const text = mark.querySelector("title").textContent;
      if (edgesOf.nonempty()) light(edgesOf, edgesOf.connectedNodes(), text);
      else note.textContent = `${text} (not in the final network)`;
    });
    mark.addEventListener("mouseleave", rest);
  }

  // -- focus: one variable, what it comes from and what it leads to -------------------------------
  const focusButton = document.getElementById("focus");
  const leaveFocus = () => {
    if (inFocus === null) return;
    inFocus = null;
    focus.leave();
    showFocus();
  };
  const showFocus = () => {
    focusButton.setAttribute("aria-pressed", String(inFocus !== null));
    focusButton.textContent = inFocus === null ? "Focus" : "Leave focus";
    goHome();
    overview.drawAll();
  };
  const toggleFocus = (k) => {
    if (k === null) { note.textContent = "Choose a variable first: click on it, or find it by its name."; return; }
    if (inFocus === k) { leaveFocus(); return; }
    const chosen = new Set([...causesOf(k), ...effectsOf(k)]);
    const edges = shownEdges().filter((e) => chosen.has(data.edges[e].source) && chosen.has(data.edges[e].target));
    inFocus = k;
    focus.enter([...chosen], edges);
    chosen.delete(k);
    const [name, causes] = [data.nodes[k].name, causesOf(k).size - 1];
    pin({ lit: null, ends: node(k), text:
      `${name} with all that leads to it (${causes}) and all it leads to (${chosen.size - causes}). Escape shows the rest.` });
    showFocus();
  };
  focusButton.addEventListener("click", () => (inFocus === null ? toggleFocus(current) : leaveFocus()));
  const clear = () => { current = null; pin(null); };
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (inFocus === null) clear(); else leaveFocus();
  });

  // -- edges that are too improbable --------------------------------------------------------------
  const slider = document.getElementById("threshold");
  const hideWeak = () => {
    threshold = slider ? Number(slider.value) : 0;
    cy.batch(() => cy.edges().forEach((one, k) => { one.toggleClass("weak", !isShown(k)); }));
    if (slider) {
      document.getElementById("threshold-value").textContent =
        `${threshold.toFixed(2)} · ${shownEdges().length} of ${data.edges.length} shown`;
    }
    overview.drawAll();
  };
  if (slider) slider.addEventListener("input", hideWeak);

  // -- moving about -------------------------------------------------------------------------------
  // begins at the believed variable that is nearest to the middle of all of them, else at the best linked
  const degree = (k) => node(k).degree();
  const begin = (() => {
    const ends = data.beliefs.flatMap(({ x, y }) => [x, y]);
    if (!ends.length) return data.nodes.reduce((best, _, k) => (degree(k) > degree(best) ? k : best), 0);
    const middle = (axis) => ends.reduce((sum, k) => sum + graph.points[k][axis], 0) / ends.length;
    const [x, y] = [middle("x"), middle("y")];
    const far = (k) => Math.hypot(graph.points[k].x - x, graph.points[k].y - y);
    return ends.reduce((best, k) => (far(k) < far(best) ? k : best));
  })();
  const goHome = () => { if (data.nodes.length) graph.showReadable(node(inFocus === null ? begin : inFocus)); };
  const zoomBy = (factor) => cy.zoom({
    level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 },
  });
  document.getElementById("zoom-in").addEventListener("click", () => zoomBy(1.3));
  document.getElementById("zoom-out").addEventListener("click", () => zoomBy(1 / 1.3));
  document.getElementById("fit").addEventListener("click", graph.showAll);
  const keys = {
    ArrowLeft: () => cy.panBy({ x: 60, y: 0 }), ArrowRight: () => cy.panBy({ x: -60, y: 0 }),
    ArrowUp: () => cy.panBy({ x: 0, y: 60 }), ArrowDown: () => cy.panBy({ x: 0, y: -60 }),
    "+": () => zoomBy(1.3), "-": () => zoomBy(1 / 1.3), 0: graph.showAll, f: () => toggleFocus(current),
  };
  container.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    keys[event.key]();
    event.preventDefault();
  });

  const list = document.getElementById("names");
  for (const { name } of data.nodes) {
    const option = document.createElement("option");
    option.value = name;
    list.append(option);
  }
  const find = document.getElementById("find");
  find.addEventListener("input", () => {
    const wanted = find.value.trim().toLowerCase();
    const found = data.nodes.findIndex(({ name }) => name.toLowerCase() === wanted);
    if (found < 0) { rest(); return; }
    if (inFocus !== null && node(found).hasClass("away")) leaveFocus();
    chooseNode(found);
    cy.zoom(Math.max(1, cy.zoom()));
    cy.center(node(found));
  });
  find.addEventListener("keydown", (event) => { if (event.key === "Enter" && current !== null) toggleFocus(current); });

  hideWeak();
  goHome();
  rest();
  overview.drawAll();
  let size = `${cy.width()} ${cy.height()}`;
  new ResizeObserver(() => {
    cy.resize();
    const now = `${cy.width()} ${cy.height()}`;
    if (now === size) return;
    size = now;
    goHome();
    overview.drawAll();
  }).observe(container);
  container.cy = cy; // for scripts that look at the page
})();
