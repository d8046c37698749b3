(() => {
  "use strict";
  const root = document.documentElement;
  const sections = [...document.querySelectorAll("section.page")];
  const keys = [...new Set(sections.map((section) => section.dataset.page))];
  const heads = [...document.querySelectorAll(".heads button")];
  const tokens = [...document.querySelectorAll(".sentence button")];
  const stages = [...document.querySelectorAll(".stages a")];
  const turns = [...document.querySelectorAll("[data-turn]")];
  const where = document.querySelector(".where");
  let page = keys[0];
  let head = document.body.dataset.head;
  let token = Number(document.body.dataset.token);

  const of = (key, wanted) =>
    sections.find((s) => s.dataset.page === key && (s.dataset.head ?? wanted) === wanted) ??
    sections.find((s) => s.dataset.page === key);

  function show(focus) {
    const open = of(page, head);
    for (const section of sections) section.classList.toggle("open", section === open);
    for (const button of heads) button.setAttribute("aria-pressed", String(button.dataset.head === head));
    const first = keys.indexOf(page);
    let current = null;
    for (const link of stages) {
      if (keys.indexOf(link.parentElement.dataset.page) <= first) current = link;
      link.removeAttribute("aria-current");
    }
    if (current) current.setAttribute("aria-current", "page");
    for (const button of turns) button.setAttribute("aria-disabled", String(!keys[first + Number(button.dataset.turn)]));
    const place = open.querySelector(".place").textContent;
    const chip = open.querySelector("h2 .chip");
    where.textContent = chip ? `${place} · ${chip.textContent}` : place;
    if (location.hash.slice(1) !== open.id) history.replaceState(null, "", "#" + open.id);
    scrollable(open);
    if (focus) open.querySelector("h2").focus({ preventScroll: true });
  }

  function scrollable(section) {
    for (const frame of section.querySelectorAll(".scroll")) {
      if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
      else frame.removeAttribute("tabindex");
    }
  }

  function turn(by, focus) {
    const next = keys[keys.indexOf(page) + by];
    if (!next) return;
    page = next;
    show(focus);
    scrollTo(0, 0);
  }

  function follow(place) {
    token = place;
    for (const part of document.querySelectorAll("[data-for]"))
      part.hidden = !part.dataset.for.split(" ").includes(String(token));
    for (const button of tokens)
      button.setAttribute("aria-pressed", String(Number(button.dataset.token) === token));
    for (const table of document.querySelectorAll("table[data-follow]")) {
      const before = table.querySelector("tr.chosen");
      const after = table.tBodies[0].rows[token];
      if (before === after) continue;
      const name = before.cells[0];
      const mark = name.firstChild.data.slice(0, 2);
      name.firstChild.data = name.firstChild.data.slice(2);
      name.removeAttribute("aria-current");
      before.classList.remove("tr", "chosen");
      after.classList.add("tr", "chosen");
      after.cells[0].setAttribute("aria-current", "true");
      after.cells[0].firstChild.data = mark + after.cells[0].firstChild.data;
    }
    scrollable(of(page, head));
  }

  function nextHead(by) {
    if (!heads.length) return;
    const names = heads.map((button) => button.dataset.head);
    head = names[(names.indexOf(head) + by + names.length) % names.length];
    show(false);
  }

  function nextToken(by) {
    if (tokens.length) follow((token + by + tokens.length) % tokens.length);
  }

  function open(id) {
    const section = sections.find((s) => s.id === id);
    if (!section) return false;
    page = section.dataset.page;
    head = section.dataset.head ?? head;
    return true;
  }

  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest("select, input, textarea, .scroll[tabindex]")) return;
    const { key } = event;
    const stage = /^[1-9]$/.test(key) && stages.find((link) => link.dataset.stage === key);
    if (key === "ArrowRight" || key === "n") turn(1, true);
    else if (key === "ArrowLeft" || key === "p") turn(-1, true);
    else if (key === "h" || key === "H") nextHead(key === "h" ? 1 : -1);
    else if (key === "t" || key === "T") nextToken(key === "t" ? 1 : -1);
    else if (stage) {
      page = stage.parentElement.dataset.page;
      show(true);
      scrollTo(0, 0);
    } else return;
    event.preventDefault();
  }

  root.classList.add("paged");
  document.addEventListener("keydown", press);
  addEventListener("hashchange", () => open(location.hash.slice(1)) && show(true));
  addEventListener("resize", () => scrollable(of(page, head)));
  for (const link of stages)
    link.addEventListener("click", (event) => {
      event.preventDefault();
      page = link.parentElement.dataset.page;
      show(true);
      scrollTo(0, 0);
    });
  for (const button of turns) button.addEventListener("click", () => turn(Number(button.dataset.turn), false));
  for (const button of heads)
    button.addEventListener("click", () => {
      head = button.dataset.head;
      show(false);
    });
  for (const button of tokens) button.addEventListener("click", () => follow(Number(button.dataset.token)));
  const colours = document.querySelector(".themes select");
  colours.addEventListener("change", () => {
    if (colours.value === "auto") delete root.dataset.theme;
    else root.dataset.theme = colours.value;
  });
  open(location.hash.slice(1));
  show(false);
})();
