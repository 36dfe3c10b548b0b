"use strict";
// Drawings of machines: what is chosen there is shown beside them. Without this, the drawing is a
// picture, and the table below it has everything.
function showMachines(machines, { make, say, counted }) {
  const SMALLEST = 0.7; // of the size of a drawing
  const code = (text) => make("code", {}, text);

  // A list of events.
  const sequence = (events) => make("ol", {}, ...events.map((event) => make("li", {}, code(event))));

  const part = (name, ...content) => [make("h5", { class: "part" }, name), ...content];

  const reached = (count) => `${counted(count, "test")} reach${count === 1 ? "es" : ""} it`;

  function facts(rows) {
    return make("dl", {}, ...rows.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  }

  function after({ to, crashes }) {
    if (to !== null) return code(to);
    return crashes ? make("span", { class: "bad" }, "crashes") : "ends";
  }

  // A machine that is drawn, with what can be chosen in it.
  function connect(svg) {
    const { states, transitions, arrows } = machines[Number(svg.dataset.machine)];
    const choice = svg.closest(".sketch").querySelector(".choice");
    const picks = [...svg.querySelectorAll(".pick")];
    const arrowOf = new Map(arrows.flatMap((own, arrow) => own.map((transition) => [transition, arrow])));

    // A list of transitions that can be chosen.
    function links(numbers, text) {
      return make("ul", {}, ...numbers.map((number) => {
        const button = make("button", { type: "button", class: "link" }, code(text(transitions[number])));
        button.addEventListener("click", () => choose(`t${number}`));
        return make("li", {}, button);
      }));
    }

    function aboutState(state) {
      const leaving = [...transitions.keys()].filter((number) => transitions[number].from === state.name);
      const end = ({ to, crashes }) => to ?? (crashes ? "crash" : "end");
      return [
        make("h4", {}, "State ", code(state.name)),
        make("p", { class: "hint" }, (state.initial ? "The machine starts here. " : "") + reached(state.count)),
        ...part("Shortest sequence", sequence(state.shortest)),
        ...(leaving.length === 0 ? [] : part("Transitions from here", links(leaving, (it) => `${it.event} → ${end(it)}`))),
      ];
    }

    function aboutTransition(it) {
      return [
        make("h4", {}, "Transition"),
        facts([["From", code(it.from)], ["Event", code(it.event)], ["To", after(it)]]),
        make("p", { class: "hint" }, it.count === 1 ? "1 test shows it" : `${it.count} tests show it`),
        ...part("Shortest sequence", sequence(it.shortest)),
      ];
    }

    function aboutArrow(numbers) {
      const [first] = numbers;
      return [
        make("h4", {}, counted(numbers.length, "transition")),
        facts([["From", code(transitions[first].from)], ["To", after({ ...transitions[first], crashes: 0 })]]),
        ...part("Events", links(numbers, (it) => it.event + (it.crashes ? " (crashes)" : ""))),
      ];
    }

    function about(kind, number) {
      if (kind === "s") return aboutState(states[number]);
      if (kind === "t") return aboutTransition(transitions[number]);
      // An arrow of one transition is that transition.
      return arrows[number].length === 1 ? aboutTransition(transitions[arrows[number][0]]) : aboutArrow(arrows[number]);
    }

    // What a screen reader says about an event: the drawing does not tell it where the arrow leads.
    function nameOf(pick) {
      const [kind, number] = [pick[0], Number(pick.slice(1))];
      if (kind === "s") return "";
      const numbers = kind === "t" ? [number] : arrows[number];
      const { from, to } = transitions[numbers[0]];
      const what = kind === "t" ? transitions[number].event : `All ${numbers.length} events`;
      return `${what}, from ${from} to ${to ?? "the end"}`;
    }

    // Shows what a pick such as `t3` stands for, and marks it.
    function choose(pick) {
      const [kind, number] = [pick[0], Number(pick.slice(1))];
      const arrow = kind === "t" ? arrowOf.get(number) : kind === "a" ? number : undefined;
      const parts = about(kind, number);
      for (const element of svg.querySelectorAll("[data-pick]")) {
        const isPicked = element.dataset.pick === pick || element.dataset.pick === `a${arrow}`;
        element.classList.toggle("picked", isPicked);
        if (element.hasAttribute("aria-pressed")) element.setAttribute("aria-pressed", String(isPicked));
      }
      choice.replaceChildren(...parts);
      say(`${parts[0].textContent} is shown`);
    }

    function focus(element) {
      for (const other of picks) other.setAttribute("tabindex", other === element ? "0" : "-1");
      element.focus();
    }

    // A wide drawing shrinks, as long as it can be read.
    svg.style.minWidth = `${Math.round(svg.width.baseVal.value * SMALLEST)}px`;
    svg.setAttribute("role", "group");
    picks.forEach((element, index) => {
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", index === 0 ? "0" : "-1");
      element.setAttribute("aria-pressed", "false");
      const name = nameOf(element.dataset.pick);
      if (name) element.setAttribute("aria-label", name);
    });
    svg.addEventListener("click", (event) => {
      const element = event.target.closest("[data-pick]");
      if (element) choose(element.dataset.pick);
    });
    svg.addEventListener("keydown", (event) => {
      const element = event.target.closest(".pick");
      if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
      const at = picks.indexOf(element);
      const moves = {
        ArrowRight: () => focus(picks[Math.min(at + 1, picks.length - 1)]),
        ArrowLeft: () => focus(picks[Math.max(at - 1, 0)]),
        Home: () => focus(picks[0]),
        End: () => focus(picks[picks.length - 1]),
        Enter: () => choose(element.dataset.pick),
        " ": () => choose(element.dataset.pick),
      };
      moves.ArrowDown = moves.ArrowRight;
      moves.ArrowUp = moves.ArrowLeft;
      const move = moves[event.key];
      if (move) { event.preventDefault(); move(); }
    });
  }

  for (const svg of document.querySelectorAll("svg[data-machine]")) connect(svg);
}

