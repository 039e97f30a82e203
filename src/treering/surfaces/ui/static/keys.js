// Keys: move through the items of a page, press the buttons of the one that has the focus, go to other pages.

const PAUSE = 1000; // milliseconds between g and the letter of a page

let going = -Infinity; // when g was pressed

const items = () => [...document.querySelectorAll("[data-item]")];
const typing = (target) => target.closest("input:not([type=range]), textarea, select");

function move(step) {
  const all = items();
  const at = all.findIndex((one) => one.contains(document.activeElement));
  const next = all[Math.min(all.length - 1, Math.max(0, at + step))];
  if (next) {
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  }
}

// A key belongs to the item with the focus, to the first one if none has it, and to the page where no item has it.
function press(key) {
  const all = items();
  const here = all.find((one) => one.contains(document.activeElement)) ?? all[0];
  const wanted = `[data-key="${CSS.escape(key)}"]`;
  const found = here?.querySelector(wanted) ?? [...document.querySelectorAll(wanted)].find((one) => !one.closest("[data-item]"));
  found?.click();
  if (found?.tagName === "SUMMARY") found.parentElement.querySelector("textarea")?.focus();
  return Boolean(found);
}

function go(key) {
  document.querySelector(`nav [data-go="${CSS.escape(key)}"]`)?.click();
}

function open() {
  document.activeElement?.closest?.("[data-item]")?.querySelector("a")?.click();
}

const MOVES = { j: () => move(1), k: () => move(-1), "/": () => document.querySelector("header input[type=search]").focus() };

export function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && typing(event.target)) event.target.blur();
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (event.key === "Enter" && event.target.matches("[data-item]")) return open();
    if (performance.now() - going < PAUSE) {
      going = -Infinity;
      return go(event.key);
    }
    if (event.key === "g") going = performance.now();
    else if (MOVES[event.key]) MOVES[event.key]();
    else if (event.key.length !== 1 || !press(event.key)) return;
    event.preventDefault();
  });
  if (document.body.dataset.page === "review") items()[0]?.focus({ preventScroll: true });
}
