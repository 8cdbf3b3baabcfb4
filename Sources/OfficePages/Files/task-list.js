// The list of tasks: a box in the head ticks all of the page, and Shift ticks all from the last box on.
const boxes = [...document.querySelectorAll("table.tasks tbody input[type=checkbox]")];
const all = document.querySelector("table.tasks [data-all]");
let last = -1;

const tell = () => {
  const ticked = boxes.filter((box) => box.checked).length;
  all.checked = ticked === boxes.length;
  all.indeterminate = ticked > 0 && ticked < boxes.length;
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
  // A browser may bring a page back with its ticks.
  addEventListener("pageshow", tell);
}
