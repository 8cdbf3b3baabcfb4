// Turns a set of pictures by dragging, by the arrow keys or by a slider.

// The distance of two angles on the circle, degrees.
export const distance = (one, other) => {
  const turned = (((one - other) % 360) + 360) % 360;
  return Math.min(turned, 360 - turned);
};

// Returns the place of the frame that is nearest to an angle; -1 without frames. Of two frames that
// are as near, the earlier one of the files counts.
export const nearest = (angles, angle) => {
  let best = -1;
  for (let place = 0; place < angles.length; place++) {
    if (best < 0 || distance(angles[place], angle) < distance(angles[best], angle)) best = place;
  }
  return best;
};

const begin = (root) => {
  const frames = JSON.parse(root.dataset.set);
  const words = JSON.parse(root.dataset.setWords);
  const part = (name) => root.querySelector(`[data-set-${name}]`);
  const [stage, first, needle, told, sliderLabel] =
    ["stage", "first", "needle", "angle", "slider"].map(part);
  const slider = sliderLabel.querySelector("input");
  const pen = stage.getContext("2d");
  const pictures = frames.map(() => null);
  let [angle, loaded, failed, shown, isPlanned] = [frames[0]?.angle ?? 0, 0, 0, -1, false];

  const say = (template, ...values) =>
    template.replace(/\{(\d)\}/g, (_, number) => values[number - 1]);

  const draw = () => {
    isPlanned = false;
    const here = frames.map((_, place) => place).filter((place) => pictures[place]);
    const found = nearest(here.map((place) => frames[place].angle), angle);
    const whole = Math.round(angle) % 360;
    needle.setAttribute("transform", `rotate(${angle})`);
    if (document.activeElement !== slider) slider.value = String(whole);
    if (found < 0) return;
    const place = here[found];
    if (place !== shown) {
      const picture = pictures[place];
      if (stage.width !== picture.naturalWidth || stage.height !== picture.naturalHeight) {
        [stage.width, stage.height] = [picture.naturalWidth, picture.naturalHeight];
      }
      pen.drawImage(picture, 0, 0);
      shown = place;
      stage.dataset.shown = String(place + 1);
      [stage.hidden, first.hidden] = [false, true];
    }
    const own = Math.round(frames[place].angle) % 360;
    const state = own === whole ? say(words.at, whole) : say(words.nearest, whole, own);
    const progress = failed > 0 ? say(words.failed, failed)
      : loaded < frames.length ? say(words.loading, loaded, frames.length) : "";
    told.textContent = progress ? `${state} · ${progress}` : state;
  };
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(draw);
  };
  const turn = (to) => {
    angle = ((to % 360) + 360) % 360;
    plan();
  };

  // The pictures come in the order of their files, a few at a time.
  const load = async () => {
    for (let place = next++; place < frames.length; place = next++) {
      const picture = new Image();
      picture.src = frames[place].src;
      try {
        await picture.decode();
        pictures[place] = picture;
        loaded++;
      } catch {
        failed++;
      }
      plan();
    }
  };
  let next = 0;
  for (let count = 0; count < 4; count++) load();

  const step = 360 / Math.max(4, frames.length);
  const moves = { ArrowLeft: -step, ArrowRight: step, PageUp: 90, PageDown: -90 };
  stage.addEventListener("keydown", (event) => {
    const by = moves[event.key];
    if (by === undefined && event.key !== "Home") return;
    event.preventDefault();
    turn(event.key === "Home" ? 0 : angle + by);
  });
  let grip = null;
  stage.addEventListener("pointerdown", (event) => {
    grip = { x: event.clientX, angle };
    stage.setPointerCapture(event.pointerId);
  });
  // A whole width of the picture is half a turn.
  stage.addEventListener("pointermove", (event) => {
    if (!grip) return;
    turn(grip.angle + ((event.clientX - grip.x) / stage.clientWidth) * 180);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    stage.addEventListener(name, () => { grip = null; });
  }
  slider.addEventListener("input", () => turn(Number(slider.value)));
  sliderLabel.hidden = false;
  const sheet = document.querySelector(".set-sheet");
  if (sheet) sheet.open = false;
  plan();
};

if (globalThis.document) for (const root of document.querySelectorAll("[data-set]")) begin(root);
