"use strict";
// Shows details on demand: the tests of a line, the tree of paths, the decisions of a test. Texts
// only become text nodes, so nothing in them is taken for HTML.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const AT_ONCE = 50; // rows to add at a time
  const STEPS_AT_ONCE = 200;
  const MOST_UNFOLDED = 1000; // rows that "Unfold all" adds at a time
  const status = document.getElementById("status");

  const say = (text) => { status.textContent = text; };
  const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  // An element with attributes and children; texts become text nodes.
  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
  }

  showMachines(data.machines, { make, say, counted });

  // ---- Colours

  const theme = document.getElementById("theme");
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const nameTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; theme.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours"); };
  const remember = (value) => { try { localStorage.setItem("erlconcolic-theme", value); } catch { /* not allowed here */ } };
  const remembered = () => { try { return localStorage.getItem("erlconcolic-theme"); } catch { return null; } };
  if (["light", "dark"].includes(remembered())) document.documentElement.dataset.theme = remembered();
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    remember(document.documentElement.dataset.theme);
    nameTheme();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
  nameTheme();

  document.documentElement.classList.add("js-on");
  for (const element of document.querySelectorAll(".js, .tools, #theme, button.link")) element.hidden = false;
  for (const element of document.querySelectorAll(".no-js")) element.remove();

  // ---- Tests

  const crashes = data.entries.map((entry) => new Set(entry.crashes));
  const masks = data.reached.map((text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  const severalEntries = data.entries.length > 1;

  const callOf = (entry, test) => data.entries[entry].call.join(data.entries[entry].arguments[test]);

  function outcomeOf(entry, test) {
    const { outcomes, results } = data.entries[entry];
    const outcome = data.texts[outcomes[test]];
    const isCrash = crashes[entry].has(test);
    const result = data.texts[results[test]];
    const text = outcome === "ok" ? `→ ${result}` : `${isCrash ? "✗ " : ""}${outcome}: ${result}`;
    return make("code", { class: isCrash ? "outcome bad" : "outcome" }, text);
  }

  // The tests that reached one of these places, as pairs of entry and test.
  function testsAt(places) {
    const reaches = masks.map((mask) => places.some((place) => (mask[place >> 3] >> (place & 7)) & 1));
    const found = [];
    data.entries.forEach((entry, number) => {
      entry.reached.forEach((mask, test) => { if (reaches[mask]) found.push([number, test]); });
    });
    return found;
  }

  function testButton(entry, test) {
    const name = severalEntries ? `${data.entries[entry].name} test ${test + 1}` : `test ${test + 1}`;
    const button = make("button", { type: "button", class: "link", title: "Show its path" }, name);
    button.addEventListener("click", () => showInTree(entry, test));
    return button;
  }

  // A list with a button that shows more.
  function testList(tests) {
    const list = make("ul", { class: "tests" });
    const box = make("div", {}, list);
    let shown = 0;
    const more = make("button", { type: "button", class: "more" });
    const add = () => {
      const first = shown;
      for (const [entry, test] of tests.slice(shown, shown + AT_ONCE)) {
        list.append(make("li", {}, testButton(entry, test), make("code", {}, callOf(entry, test)), outcomeOf(entry, test)));
      }
      shown = Math.min(tests.length, shown + AT_ONCE);
      more.textContent = `Show more (${tests.length - shown} left)`;
      if (shown < tests.length) box.append(more); else more.remove();
      if (first > 0) list.children[first].querySelector("button").focus();
    };
    more.addEventListener("click", add);
    add();
    return box;
  }

  // ---- Lines

  function toggleLine(button) {
    const line = button.closest(".line");
    const open = line.nextElementSibling;
    if (open && open.classList.contains("panel")) {
      open.remove();
      button.setAttribute("aria-expanded", "false");
      button.removeAttribute("aria-controls");
      return;
    }
    const [source, number] = button.dataset.line.split(":").map(Number);
    const tests = testsAt(data.lines[source][number - 1]);
    const name = tests.length === 0 ? `No test reaches line ${number}` : `${counted(tests.length, "test")} reach${tests.length === 1 ? "es" : ""} line ${number}`;
    const id = `${line.id}-tests`;
    const panel = make("div", { class: "panel", id, role: "region", "aria-label": `Tests of line ${number}` }, make("h4", {}, name));
    if (tests.length > 0) panel.append(testList(tests));
    line.after(panel);
    button.setAttribute("aria-expanded", "true");
    button.setAttribute("aria-controls", id);
    say(name);
  }

  document.getElementById("sources").addEventListener("click", (event) => {
    const line = event.target.closest(".line");
    if (!line || event.target.closest("a")) return;
    if (!event.target.closest("button") && String(getSelection())) return;
    const button = line.querySelector("button.gutter");
    if (button) toggleLine(button);
  });

  // A link into a folded source opens it.
  function openTarget() {
    const target = document.getElementById(location.hash.slice(1));
    const folded = target && target.closest("details:not([open])");
    if (folded) { folded.open = true; target.scrollIntoView(); }
  }
  addEventListener("hashchange", openTarget);
  openTarget();

  // ---- The tree of paths: a flat list of rows, so that a deep tree is not a deep document.

  const trees = data.entries.map((entry, number) => {
    const children = entry.above.map(() => []);
    const tests = entry.nodeTests.map((list) => list.length);
    const crashing = entry.nodeTests.map((list) => list.filter((test) => crashes[number].has(test)).length);
    const nodeOf = new Map();
    const goesOnAs = new Map(entry.goesOnAs);
    const first = entry.nodeTests.map((list) => list.reduce((least, test) => Math.min(least, test), Infinity));
    entry.nodeTests.forEach((list, node) => list.forEach((test) => nodeOf.set(test, node)));
    // Each node comes after its parent.
    for (let node = entry.above.length - 1; node > 0; node--) {
      const above = entry.above[node];
      children[above].push(node);
      tests[above] += tests[node];
      crashing[above] += crashing[node];
      first[above] = Math.min(first[above], first[node]);
    }
    for (const list of children) list.reverse();
    return { children, tests, crashing, nodeOf, goesOnAs, first };
  });

  const stepText = (step, part) => data.texts[step[part]];

  // The decisions from the start to a node.
  function stepsTo(entry, node) {
    const { above, nodeSteps } = data.entries[entry];
    const parts = [];
    for (let at = node; at !== null && at !== undefined; at = above[at]) parts.push(nodeSteps[at]);
    return parts.reverse().flat();
  }

  const rowName = (entry, node, test) => `t${entry}-${node}${test === undefined ? "" : `-${test}`}`;
  const levelShown = (level) => Math.min(level, 24);

  function row(entry, level, place, size, id, isLeaf) {
    const element = make("div", {
      class: isLeaf ? "node leaf" : "node", role: "treeitem", id, tabindex: "-1",
      "aria-level": level, "aria-posinset": place, "aria-setsize": size,
    });
    element.style.setProperty("--level", levelShown(level - 1));
    element.dataset.level = level;
    element.dataset.entry = entry;
    if (level > 25) element.append(make("span", { class: "deep" }, `level ${level}`));
    return element;
  }

  const short = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text);

  // The decisions between a node and its parent.
  function decided(entry, node) {
    const { steps, nodeSteps } = data.entries[entry];
    const numbers = nodeSteps[node];
    if (numbers.length === 0) return [];
    const first = steps[numbers[0]];
    const line = first[1] ? `, line ${first[1]}` : "";
    // The branches of a built-in differ only in their conditions.
    const condition = stepText(first, 4) === "is chosen" || !stepText(first, 6) ? "" : `: ${short(stepText(first, 6), 60)}`;
    const more = numbers.length > 1 ? `, and ${counted(numbers.length - 1, "more decision")}` : "";
    return [
      make("code", { class: "label" }, short(stepText(first, 5) || stepText(first, 3), 90)),
      make("span", { class: "about" }, stepText(first, 4) + line + condition + more),
    ];
  }

  function branchRow(entry, node, level, place, size) {
    const { tests, crashing } = trees[entry];
    const element = row(entry, level, place, size, rowName(entry, node), false);
    element.dataset.node = node;
    element.setAttribute("aria-expanded", "false");
    element.append(
      make("span", { class: "fold", "aria-hidden": "true" }, "▸"),
      ...decided(entry, node),
      make("span", { class: "about" }, `· ${counted(tests[node], "test")}`));
    if (crashing[node]) element.append(make("span", { class: "about crashes" }, `✗ ${crashing[node]} of them crash${crashing[node] === 1 ? "es" : ""}`));
    return element;
  }

  // A test, with the decisions before it if it is the only test of its node.
  function leafRow(entry, node, test, level, place, size, isAlone) {
    const element = row(entry, level, place, size, rowName(entry, node, test), true);
    element.dataset.test = test;
    element.dataset.node = node;
    element.setAttribute("aria-expanded", "false");
    element.append(
      make("span", { class: "fold", "aria-hidden": "true" }, "▸"),
      ...(isAlone ? decided(entry, node) : []),
      make("span", { class: "about" }, `test ${test + 1}`),
      make("code", { class: "call" }, short(callOf(entry, test), 300)),
      outcomeOf(entry, test));
    return element;
  }

  // Whether a node has only one test.
  const isTest = (entry, node) => trees[entry].children[node].length === 0 && data.entries[entry].nodeTests[node].length === 1;

  // A way that was not run, with a link to the one as which it goes on.
  function mergedRow(entry, node, level, place, size) {
    const { goesOnAs, tests, first } = trees[entry];
    const target = goesOnAs.get(node);
    const element = row(entry, level, place, size, rowName(entry, node), true);
    element.classList.add("merged");
    element.dataset.node = node;
    const others = tests[target] > 1 ? ` and ${counted(tests[target] - 1, "more test")}` : "";
    const link = make("a", { class: "place", href: "#paths", tabindex: "-1" }, `test ${first[target] + 1}${others}`);
    link.addEventListener("click", (event) => { event.preventDefault(); showNode(entry, target); });
    element.append(
      make("span", { class: "fold", "aria-hidden": "true" }, "↪"),
      ...decided(entry, node),
      make("span", { class: "about" }, "· goes on as"), link);
    return element;
  }

  function belowRow(entry, node, level, place, size) {
    if (trees[entry].goesOnAs.has(node)) return mergedRow(entry, node, level, place, size);
    return isTest(entry, node)
      ? leafRow(entry, node, data.entries[entry].nodeTests[node][0], level, place, size, true)
      : branchRow(entry, node, level, place, size);
  }

  // A decision on the path of a test.
  function stepRow(entry, number, level, place, size, shown) {
    const step = data.entries[entry].steps[number];
    const [source, line] = step;
    const name = stepText(step, 2);
    const condition = stepText(step, 6);
    const element = row(entry, level, place, size, "", true);
    element.removeAttribute("id");
    element.classList.add("step");
    element.append(
      make("span", { class: "about" }, `${shown}.`),
      make("code", { class: "label" }, short(stepText(step, 5), 90)),
      make("span", { class: "about" }, stepText(step, 4)),
      source === null ? make("span", { class: "place" }, name) : make("a", { class: "place", href: `#s${source + 1}-${line}`, tabindex: "-1" }, name));
    if (condition) element.append(make("span", { class: "about" }, "because"), make("code", { class: "call" }, condition));
    return element;
  }

  function moreRow(entry, node, level, from, total, test) {
    const element = row(entry, level, from + 1, total, test === undefined ? `t${entry}-${node}-more` : "", true);
    if (test !== undefined) { element.removeAttribute("id"); element.dataset.test = test; }
    element.dataset.node = node;
    element.dataset.from = from;
    element.append(make("span", { class: "fold", "aria-hidden": "true" }, "+"), make("span", { class: "about" }, `show more (${total - from} left)`));
    return element;
  }

  // The rows below a node, starting at an index.
  function rowsBelow(entry, node, level, from, most) {
    const tests = data.entries[entry].nodeTests[node];
    const below = trees[entry].children[node];
    const size = tests.length + below.length;
    const rows = [];
    for (let index = from; index < size && rows.length < most; index++) {
      rows.push(index < tests.length
        ? leafRow(entry, node, tests[index], level, index + 1, size, false)
        : belowRow(entry, below[index - tests.length], level, index + 1, size));
    }
    if (from + rows.length < size) rows.push(moreRow(entry, node, level, from + rows.length, size));
    return rows;
  }

  // A process of a test, or its schedule.
  function processRow(entry, text, level, place, size) {
    const element = row(entry, level, place, size, "", true);
    element.removeAttribute("id");
    element.classList.add("step");
    element.append(make("code", { class: "call" }, data.texts[text]));
    return element;
  }

  // The processes of a test and the decisions on its path, as rows below it.
  function rowsOfTest(entry, node, test, level, from) {
    const processes = data.entries[entry].processes[test];
    const steps = stepsTo(entry, node);
    const size = processes.length + Math.max(steps.length, 1);
    const rows = from > 0 ? [] : processes.map((text, index) => processRow(entry, text, level, index + 1, size));
    if (steps.length === 0) {
      const element = row(entry, level, size, size, "", true);
      element.removeAttribute("id");
      element.append(make("span", { class: "about" }, "no decisions on this path"));
      return [...rows, element];
    }
    const shown = steps.slice(from, from + STEPS_AT_ONCE);
    rows.push(...shown.map((step, index) => stepRow(entry, step, level, processes.length + from + index + 1, size, from + index + 1)));
    const next = from + shown.length;
    if (next < steps.length) rows.push(moreRow(entry, node, level, next, steps.length, test));
    return rows;
  }

  // The rows below a row, starting at an index.
  function below(element, level, from, most) {
    const [entry, node] = [Number(element.dataset.entry), Number(element.dataset.node)];
    const { test } = element.dataset;
    return test === undefined ? rowsBelow(entry, node, level, from, most) : rowsOfTest(entry, node, Number(test), level, from);
  }

  const isOpen = (element) => element.getAttribute("aria-expanded") === "true";

  function unfold(element, most = AT_ONCE) {
    if (element.getAttribute("aria-expanded") !== "false") return [];
    element.setAttribute("aria-expanded", "true");
    element.querySelector(".fold").textContent = "▾";
    const rows = below(element, Number(element.dataset.level) + 1, 0, most);
    element.after(...rows);
    return rows;
  }

  function fold(element) {
    if (!isOpen(element)) return;
    element.setAttribute("aria-expanded", "false");
    element.querySelector(".fold").textContent = "▸";
    const level = Number(element.dataset.level);
    let next = element.nextElementSibling;
    while (next && Number(next.dataset.level) > level) {
      const after = next.nextElementSibling;
      next.remove();
      next = after;
    }
  }

  function more(element) {
    const rows = below(element, Number(element.dataset.level), Number(element.dataset.from), AT_ONCE);
    element.replaceWith(...rows);
    focusRow(rows[0]);
  }

  function focusRow(element) {
    if (!element) return;
    const tree = element.closest(".tree");
    for (const other of tree.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    element.tabIndex = 0;
    element.focus();
  }

  const rowsOf = (tree) => [...tree.children];

  function act(element) {
    if (element.dataset.from !== undefined) more(element);
    else if (isOpen(element)) fold(element);
    else unfold(element);
  }

  function pressed(event) {
    const element = event.target;
    if (!element.classList.contains("node")) return;
    const level = Number(element.dataset.level);
    const moves = {
      ArrowDown: () => focusRow(element.nextElementSibling),
      ArrowUp: () => focusRow(element.previousElementSibling),
      ArrowRight: () => {
        if (element.getAttribute("aria-expanded") === "false") unfold(element);
        else if (isOpen(element)) focusRow(element.nextElementSibling);
      },
      ArrowLeft: () => {
        if (isOpen(element)) { fold(element); return; }
        let above = element.previousElementSibling;
        while (above && Number(above.dataset.level) >= level) above = above.previousElementSibling;
        focusRow(above);
      },
      Home: () => focusRow(rowsOf(element.parentElement)[0]),
      End: () => focusRow(rowsOf(element.parentElement).pop()),
      Enter: () => (element.querySelector("a") ? element.querySelector("a").click() : act(element)),
      " ": () => act(element),
    };
    const move = moves[event.key];
    if (move && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); move(); }
  }

  // Unfolds the nodes above a node. Returns its row; the first node has none.
  function reveal(entry, node) {
    const { above, nodeTests } = data.entries[entry];
    const path = [];
    for (let at = node; above[at] !== null; at = above[at]) path.push(at);
    let element = null;
    for (const at of path.reverse()) {
      const id = isTest(entry, at) ? rowName(entry, at, nodeTests[at][0]) : rowName(entry, at);
      grow(entry, above[at], id, nodeTests[above[at]].length + trees[entry].children[above[at]].length);
      element = document.getElementById(id);
      if (element && at !== node) unfold(element);
    }
    return element;
  }

  function goTo(element) {
    focusRow(element);
    element.scrollIntoView({ block: "center" });
  }

  // Shows a node, and moves the focus there.
  function showNode(entry, node) {
    const element = reveal(entry, node);
    if (element) goTo(element);
  }

  // Shows a test with its decisions, and moves the focus there.
  function showInTree(entry, test) {
    const node = trees[entry].nodeOf.get(test);
    if (node === undefined) return;
    const element = reveal(entry, node);
    if (element && !isTest(entry, node)) unfold(element);
    grow(entry, node, rowName(entry, node, test), data.entries[entry].nodeTests[node].length);
    const leaf = document.getElementById(rowName(entry, node, test));
    if (!leaf) return;
    unfold(leaf);
    goTo(leaf);
  }

  // Shows more rows below a node until a certain row is there.
  function grow(entry, node, id, most) {
    while (!document.getElementById(id)) {
      const element = document.getElementById(`t${entry}-${node}-more`);
      if (!element) return;
      element.replaceWith(...rowsBelow(entry, node, Number(element.dataset.level), Number(element.dataset.from), most));
    }
  }

  function unfoldAll(tree) {
    let room = MOST_UNFOLDED;
    const isFolded = (element) => element.dataset.test === undefined && element.getAttribute("aria-expanded") === "false";
    let open = rowsOf(tree).filter(isFolded);
    while (open.length > 0 && room > 0) {
      const next = [];
      for (const element of open) {
        if (room <= 0) break;
        const rows = unfold(element);
        room -= rows.length;
        next.push(...rows.filter(isFolded));
      }
      open = next;
    }
    const left = rowsOf(tree).some(isFolded);
    say(left ? "Many branches unfolded; press again for more" : "All branches unfolded");
  }

  for (const tree of document.querySelectorAll(".tree")) {
    const entry = Number(tree.dataset.tree);
    tree.append(...rowsBelow(entry, 0, 1, 0, AT_ONCE));
    if (tree.firstElementChild) tree.firstElementChild.tabIndex = 0;
    tree.addEventListener("keydown", pressed);
    tree.addEventListener("click", (event) => {
      const element = event.target.closest(".node");
      if (!element || event.target.closest("a")) return;
      focusRow(element);
      act(element);
    });
  }
  for (const button of document.querySelectorAll("[data-unfold]")) {
    button.addEventListener("click", () => unfoldAll(document.querySelector(`[data-tree="${button.dataset.unfold}"]`)));
  }
  for (const button of document.querySelectorAll("[data-fold]")) {
    button.addEventListener("click", () => {
      const tree = document.querySelector(`[data-tree="${button.dataset.fold}"]`);
      for (const element of rowsOf(tree)) if (element.dataset.level === "1") fold(element);
      say("All branches folded");
    });
  }
  for (const button of document.querySelectorAll("button[data-test]")) {
    button.addEventListener("click", () => showInTree(...button.dataset.test.split(":").map(Number)));
  }
})();
