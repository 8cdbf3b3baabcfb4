// Lists whose rows or pictures are ticked: a box in the head ticks all of the page, and Shift ticks all from the last
// box on. A map beside a list of photos ticks them, too, and shows which are ticked.
const choices = document.querySelector("[data-choices]");
const boxes = choices ? [...choices.querySelectorAll("input[type=checkbox]:not([data-all], [name=all])")] : [];
const all = choices?.querySelector("[data-all]");
let last = -1;

const tell = () => {
  const ticked = boxes.filter((box) => box.checked);
  all.checked = ticked.length === boxes.length;
  all.indeterminate = ticked.length > 0 && !all.checked;
  document.dispatchEvent(new CustomEvent("photos", { detail: ticked.map((box) => box.dataset.photo) }));
};

if (all && boxes.length > 0) {
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    tell();
  });
  boxes.forEach((box, at) => box.addEventListener("click", (event) => {
    if (event.shiftKey && last >= 0) {
      for (const other of boxes.slice(Math.min(at, last), Math.max(at, last) + 1)) other.checked = box.checked;
    }
    last = at;
    tell();
  }));
  document.addEventListener("photo-chosen", (event) => {
    const box = boxes.find((one) => one.dataset.photo === event.detail);
    if (!box) return;
    box.checked = !box.checked;
    last = boxes.indexOf(box);
    box.closest("li")?.scrollIntoView({ block: "nearest" });
    tell();
  });
  document.addEventListener("photos-chosen", (event) => {
    for (const box of boxes) box.checked = event.detail.includes(box.dataset.photo);
    tell();
  });
  document.addEventListener("map-drawn", tell);
  // A browser may bring a page back with its ticks.
  addEventListener("pageshow", tell);
}
