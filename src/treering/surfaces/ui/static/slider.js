// The slider: each step is a day between the first and the last event.

const DAY = 86400000; // milliseconds

const days = (text) => Math.floor(Date.parse(text) / DAY);
const written = (day) => new Date(day * DAY).toISOString().slice(0, 10);

export function slide() {
  const slider = document.querySelector(".slider");
  if (!slider?.dataset.first || slider.dataset.first === slider.dataset.last) return;
  const date = slider.form.elements.as_of;
  slider.min = days(slider.dataset.first);
  slider.max = days(slider.dataset.last);
  slider.value = date.value ? days(date.value) : slider.max;
  slider.setAttribute("aria-valuetext", date.value || "now");
  slider.hidden = false;
  slider.addEventListener("input", () => {
    const last = slider.value === slider.max;
    date.value = last ? "" : written(Number(slider.value));
    slider.setAttribute("aria-valuetext", date.value || "now");
  });
  slider.addEventListener("change", () => slider.form.requestSubmit());
}
