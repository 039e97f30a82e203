// The slider: each step is a day between the first and the last event.

const DAY = 86400000; // milliseconds

const days = (text) => Math.floor(Date.parse(text) / DAY);
const written = (day) => new Date(day * DAY).toISOString().slice(0, 10);

export function slide() {
  const box = document.querySelector(".slide");
  if (!box?.dataset.first || box.dataset.first === box.dataset.last) return;
  const slider = box.querySelector("input");
  const output = box.querySelector("output");
  const date = slider.form.elements.as_of;
  slider.min = days(box.dataset.first);
  slider.max = days(box.dataset.last);
  slider.value = date.value ? days(date.value) : slider.max;
  slider.setAttribute("aria-valuetext", date.value || "now");
  box.hidden = false;
  slider.addEventListener("input", () => {
    const last = slider.value === slider.max;
    date.value = last ? "" : written(Number(slider.value));
    output.textContent = date.value || "now";
    slider.setAttribute("aria-valuetext", date.value || "now");
  });
  slider.addEventListener("change", () => slider.form.requestSubmit());
}
