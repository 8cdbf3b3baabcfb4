// Lines that an officer draws over a copy of a photo: with a finger, a pen or the mouse, or as a ring
// round a part that is chosen from a list. A hidden field of the decision's form keeps them, in
// thousandths of the picture's sides; the photo itself stays as it is.
// A hand that trembles makes no new place.
const leastStep = 4;
let drawn = null;

const fieldOf = (box) => box.parentElement.querySelector("input[name^='mark-']");
// The lines behind the photo's name, in a field or a choice.
const linesIn = (text) => text.split(" ").slice(1).join(" ").split(";").filter(Boolean)
  .map((line) => line.split(" ").map((place) => place.split(",").map(Number)));
const read = (box) => linesIn(fieldOf(box).value);

const write = (box, lines) => {
  const field = fieldOf(box);
  const texts = lines.map((line) => line.map((place) => place.join(",")).join(" "));
  field.value = field.value.split(" ")[0] + " " + texts.join(";");
  const path = lines.map((line) => "M" + (line.length === 1 ? line[0].join(" ") + "h0"
    : line.map((place) => place.join(" ")).join("L"))).join("");
  for (const one of box.querySelectorAll("path")) one.setAttribute("d", path);
};

const placeOf = (box, event) => {
  const sides = box.querySelector("img").getBoundingClientRect();
  const part = (value) => Math.min(1000, Math.max(0, Math.round(value * 1000)));
  return [part((event.clientX - sides.left) / sides.width), part((event.clientY - sides.top) / sides.height)];
};

const hasRoom = (box) => read(box).length < Number(box.dataset.lines)
  && [...document.querySelectorAll("[data-mark]")].flatMap(read).flat().length
    + Number(box.dataset.places) <= Number(box.dataset.all);

const add = (box, line) => {
  if (hasRoom(box)) write(box, [...read(box), line]);
};

document.addEventListener("pointerdown", (event) => {
  const box = event.target.closest?.("[data-mark]");
  if (!box || event.button !== 0 || !event.isPrimary || drawn) return;
  if (!hasRoom(box)) return;
  const before = read(box);
  event.preventDefault();
  box.setPointerCapture(event.pointerId);
  drawn = { box, before, line: [placeOf(box, event)] };
  write(box, [...before, drawn.line]);
});

document.addEventListener("pointermove", (event) => {
  if (!drawn || !event.isPrimary || drawn.line.length >= Number(drawn.box.dataset.places)) return;
  const place = placeOf(drawn.box, event);
  const last = drawn.line.at(-1);
  if (Math.hypot(place[0] - last[0], place[1] - last[1]) < leastStep) return;
  drawn.line.push(place);
  write(drawn.box, [...drawn.before, drawn.line]);
});

for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => {
    if (!drawn || !event.isPrimary) return;
    // A line that the browser took for something else is not kept.
    if (end === "pointercancel") write(drawn.box, drawn.before);
    drawn = null;
  });
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-mark-back]");
  const box = button?.closest("details").querySelector("[data-mark]");
  if (box) write(box, read(box).slice(0, -1));
});

// A picture is dragged as a file otherwise.
document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.("[data-mark]")) event.preventDefault();
});

// Without this script the choice itself is sent, with the same lines.
document.addEventListener("change", (event) => {
  const list = event.target;
  if (!list.matches?.("[data-mark-ring]") || !list.value) return;
  for (const ring of linesIn(list.value)) add(list.closest("details").querySelector("[data-mark]"), ring);
  list.selectedIndex = 0;
});

const begin = () => {
  for (const hidden of document.querySelectorAll(".mark-photo > .actions[hidden]")) hidden.hidden = false;
};
begin();
// The next task takes the place of this page.
document.addEventListener("page", begin);
