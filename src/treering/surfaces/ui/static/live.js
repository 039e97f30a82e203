// What happens while a page is looked at: it asks for the clock of the ledger, and is read again when that has moved.

const PAUSE = 3000; // milliseconds between two looks: a hook is seen in the time of a glance
const WAITING = 700; // while figures are counted

let clock = null;

async function again() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const parts = [...document.querySelectorAll("[data-refresh]")];
  [...page.querySelectorAll("[data-refresh]")].forEach((fresh, place) => swap(parts[place], fresh));
}

// Nobody loses what they are about to press or to read: an item keeps the focus, and a button or a field its place.
function swap(old, fresh) {
  if (!old || old.innerHTML === fresh.innerHTML) return;
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  if (focus && !focus.matches("[data-item]")) return;
  const key = focus?.dataset.item;
  old.replaceChildren(...fresh.childNodes);
  if (key) old.querySelector(`[data-item="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

async function look() {
  if (document.hidden) return;
  const counting = document.querySelector("[data-counting]");
  if (counting) return again();
  if (!("live" in document.body.dataset)) return;
  const answer = await fetch("/pulse.json");
  if (!answer.ok) return;
  const told = await answer.json();
  if (clock !== null && told.clock !== clock) await again();
  clock = told.clock;
}

export function follow() {
  const turn = async () => {
    try {
      await look();
      setTimeout(turn, document.querySelector("[data-counting]") ? WAITING : PAUSE);
    } catch {
      document.body.dataset.gone = "";
    }
  };
  turn();
}
