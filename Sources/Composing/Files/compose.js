// One photo is laid over another one: drawn at the screen's size, moved by fingers, mouse and keys. The
// form's fields hold all numbers; the program makes the picture itself from them.

const form = document.querySelector("[data-compose]");

const begin = () => {
  const canvas = form.querySelector("[data-compose-canvas]");
  const preview = form.querySelector("[data-compose-preview]");
  const tools = form.querySelector("[data-compose-tools]");
  const undo = form.querySelector("[data-compose-undo]");
  const context = canvas.getContext("2d");
  const [baseWidth, baseHeight] = form.dataset.base.split(" ").map(Number);
  const [upperWidth, upperHeight] = form.dataset.upper.split(" ").map(Number);
  const numbers = ["placeX", "placeY", "placeScale", "placeAngle", "windowX", "windowY", "windowWidth",
    "windowHeight", "windowAngle", "softness", "transparency", "cropX", "cropY", "cropWidth", "cropHeight"];
  const picture = (source) => {
    const image = new Image();
    image.src = source;
    return image;
  };
  const below = picture(form.dataset.below);
  const above = picture(form.dataset.above);
  let mode = "picture";

  // The fields are read once for each picture that is drawn.
  const field = (name) => form.elements.namedItem(name);
  const number = (name) => Number(field(name).value.replace(",", "."));
  const read = () => ({ ...Object.fromEntries(numbers.map((name) => [name, number(name)])), shape: field("shape").value });
  const places = { placeScale: 4, placeAngle: 2 };
  const write = (name, value) => {
    // A photo that is moved by hand no longer lies where comparing has put it.
    if (name.startsWith("place")) field("projection").value = "";
    field(name).value = String(Number(value.toFixed(places[name] ?? 1)));
  };

  // Undo takes back one gesture, one key or one slide, and not each of its steps.
  const past = [];
  const kinds = ["shape", "projection", ...numbers];
  const state = () => JSON.stringify(kinds.map((name) => field(name).value));
  let kept = state();
  let last = "";
  const remember = (what) => {
    if (what && what === last) return;
    last = what;
    if (past.at(-1) !== kept) past.push(kept);
    undo.disabled = false;
  };
  const settle = () => { kept = state(); };
  const takeBack = () => {
    const before = past.pop();
    if (!before) return;
    JSON.parse(before).forEach((value, index) => { field(kinds[index]).value = value; });
    undo.disabled = past.length === 0;
    last = "";
    settle();
    draw();
  };

  // A mask over the square from -1 to 1, with its linear fall at the edge: made again when it changes.
  const masks = new Map();
  const mask = (shape, softness) => {
    const key = `${shape} ${softness}`;
    const known = masks.get(key);
    if (known) return known;
    const side = 256;
    const made = new OffscreenCanvas(side, side);
    const pixels = made.getContext("2d").createImageData(side, side);
    for (let row = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1) {
        const u = Math.abs((2 * column + 1) / side - 1);
        const v = Math.abs((2 * row + 1) / side - 1);
        const edge = shape === "ellipse" ? Math.hypot(u, v) : Math.max(u, v);
        const share = softness > 0 ? Math.min(Math.max((1 - edge) / softness, 0), 1) : Number(edge <= 1);
        pixels.data[4 * (row * side + column) + 3] = Math.round(255 * share);
      }
    }
    made.getContext("2d").putImageData(pixels, 0, 0);
    if (masks.size > 8) masks.clear();
    masks.set(key, made);
    return made;
  };

  let layer = new OffscreenCanvas(1, 1);
  const radians = (degrees) => degrees * Math.PI / 180;
  const put = (target, scale, x, y, angle, factor = 1) => {
    const [c, s] = [Math.cos(radians(angle)) * scale * factor, Math.sin(radians(angle)) * scale * factor];
    target.setTransform(c, s, -s, c, x * scale, y * scale);
  };
  // A place that was found by comparing, as near as a canvas can show it: straight, round the middle.
  const putProjected = (target, scale) => {
    const rows = field("projection").value.split(",").map(Number);
    if (rows.length !== 9 || !rows.every(Number.isFinite)) return false;
    const through = (x, y) => {
      const depth = rows[6] * x + rows[7] * y + rows[8];
      return [(rows[0] * x + rows[1] * y + rows[2]) / depth * scale, (rows[3] * x + rows[4] * y + rows[5]) / depth * scale];
    };
    const [x, y, far] = [upperWidth / 2, upperHeight / 2, .25];
    const [middle, right, down] = [through(x, y), through(x * (1 + far), y), through(x, y * (1 + far))];
    const step = ([a, b], length) => [(a - middle[0]) / length, (b - middle[1]) / length];
    target.setTransform(...step(right, x * far), ...step(down, y * far), ...middle);
    return true;
  };
  const draw = () => {
    const values = read();
    const scale = canvas.width / baseWidth;
    const target = layer.getContext("2d");
    target.globalCompositeOperation = "source-over";
    target.setTransform(1, 0, 0, 1, 0, 0);
    target.clearRect(0, 0, layer.width, layer.height);
    if (!putProjected(target, scale)) {
      put(target, scale, values.placeX, values.placeY, values.placeAngle, values.placeScale);
    }
    target.drawImage(above, -upperWidth / 2, -upperHeight / 2, upperWidth, upperHeight);
    target.globalCompositeOperation = "destination-in";
    const softness = values.softness / 100;
    target.drawImage(mask("rectangle", softness), -upperWidth / 2, -upperHeight / 2, upperWidth, upperHeight);
    put(target, scale, values.windowX, values.windowY, values.windowAngle);
    target.drawImage(mask(values.shape, softness), -values.windowWidth / 2, -values.windowHeight / 2,
      values.windowWidth, values.windowHeight);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 1;
    context.drawImage(below, 0, 0, canvas.width, canvas.height);
    context.globalAlpha = 1 - values.transparency / 100;
    context.drawImage(layer, 0, 0);
    context.globalAlpha = 1;
    frame(values, scale);
  };
  // The window's edge and the crop, which are no part of the result.
  const frame = (values, scale) => {
    context.lineWidth = 2 / scale;
    context.strokeStyle = "#ffd60a";
    if (mode === "window") {
      put(context, scale, values.windowX, values.windowY, values.windowAngle);
      context.beginPath();
      const [a, b] = [Math.abs(values.windowWidth) / 2, Math.abs(values.windowHeight) / 2];
      if (values.shape === "ellipse") context.ellipse(0, 0, a, b, 0, 0, 2 * Math.PI);
      else context.rect(-a, -b, 2 * a, 2 * b);
      context.stroke();
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    if (values.cropWidth > 0 && values.cropHeight > 0) {
      context.fillStyle = "rgb(0 0 0 / .55)";
      context.beginPath();
      context.rect(0, 0, baseWidth, baseHeight);
      context.rect(values.cropX, values.cropY, values.cropWidth, values.cropHeight);
      context.fill("evenodd");
      context.strokeRect(values.cropX, values.cropY, values.cropWidth, values.cropHeight);
    }
  };
  let isAsked = false;
  const soon = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      draw();
      canvas.dataset.drawn = String(Number(canvas.dataset.drawn ?? 0) + 1);
    });
  };

  // The middle of what is moved, and its size and turn.
  const names = () => mode === "window" ? ["windowX", "windowY", "windowAngle"] : ["placeX", "placeY", "placeAngle"];
  const move = (dx, dy) => {
    const [x, y] = names();
    write(x, number(x) + dx);
    write(y, number(y) + dy);
  };
  const scaleBy = (factor) => {
    if (mode === "window") {
      write("windowWidth", Math.max(1, number("windowWidth") * factor));
      write("windowHeight", Math.max(1, number("windowHeight") * factor));
    } else {
      write("placeScale", Math.min(Math.max(number("placeScale") * factor, .001), 1000));
    }
  };
  const turnBy = (degrees) => {
    const [, , angle] = names();
    write(angle, ((number(angle) + degrees + 540) % 360) - 180);
  };
  const change = (what, act) => {
    remember(what);
    act();
    settle();
    soon();
  };

  // Fingers and mouse: one moves, two scale and turn as well.
  const pointers = new Map();
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * baseWidth / box.width, (event.clientY - box.top) * baseHeight / box.height];
  };
  let corner = null;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) remember("");
    pointers.set(event.pointerId, at(event));
    corner = mode === "crop" ? at(event) : null;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    if (corner) {
      const inside = ([x, y]) => [Math.min(Math.max(x, 0), baseWidth), Math.min(Math.max(y, 0), baseHeight)];
      const [[x0, y0], [x1, y1]] = [inside(corner), inside(now)];
      const sides = [Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0)].map(Math.floor);
      ["cropX", "cropY", "cropWidth", "cropHeight"].forEach((name, index) => {
        field(name).value = sides[2] > 0 && sides[3] > 0 ? String(sides[index]) : "";
      });
    } else if (pointers.size === 1) {
      move(now[0] - before[0], now[1] - before[1]);
    } else {
      const [, other] = [...pointers].find(([id]) => id !== event.pointerId);
      const [was, is] = [[before[0] - other[0], before[1] - other[1]], [now[0] - other[0], now[1] - other[1]]];
      if (Math.hypot(...was) > 1 && Math.hypot(...is) > 1) {
        scaleBy(Math.hypot(...is) / Math.hypot(...was));
        turnBy((Math.atan2(is[1], is[0]) - Math.atan2(was[1], was[0])) * 180 / Math.PI);
      }
      move((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    }
    pointers.set(event.pointerId, now);
    soon();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (event) => {
      pointers.delete(event.pointerId);
      if (pointers.size === 0) settle();
    });
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const steps = Math.sign(event.deltaY || event.deltaX);
    change("wheel", () => event.shiftKey ? turnBy(steps * .5) : scaleBy(1.01 ** -steps));
  }, { passive: false });

  const keys = {
    ArrowLeft: (far) => move(-far, 0), ArrowRight: (far) => move(far, 0), ArrowUp: (far) => move(0, -far),
    ArrowDown: (far) => move(0, far), "+": () => scaleBy(1.01), "-": () => scaleBy(1 / 1.01),
    ",": () => turnBy(-.5), ".": () => turnBy(.5),
  };
  canvas.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "z") {
      event.preventDefault();
      takeBack();
      return;
    }
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey || mode === "crop") return;
    event.preventDefault();
    event.stopPropagation();
    change(event.key, () => act((event.shiftKey ? 10 : 1) * baseWidth / canvas.width));
  });

  const steps = { smaller: () => scaleBy(1 / 1.02), larger: () => scaleBy(1.02), left: () => turnBy(-1), right: () => turnBy(1) };
  tools.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button === undo) { takeBack(); return; }
    if (button.dataset.step) change(button.dataset.step, steps[button.dataset.step]);
    if (!button.dataset.mode) return;
    mode = button.dataset.mode;
    last = "";
    for (const one of tools.querySelectorAll("[data-mode]")) {
      one.setAttribute("aria-pressed", String(one === button));
    }
    for (const one of tools.querySelectorAll("[data-step]")) one.disabled = mode === "crop";
    soon();
  });
  form.addEventListener("input", (event) => {
    remember(event.target.name);
    if (event.target.name.startsWith("place")) field("projection").value = "";
    settle();
    soon();
  });

  const fit = () => {
    const most = Math.min(2, devicePixelRatio || 1) * Math.min(form.clientWidth, 1600);
    canvas.width = Math.max(1, Math.round(Math.min(most, baseWidth)));
    canvas.height = Math.max(1, Math.round(canvas.width * baseHeight / baseWidth));
    layer = new OffscreenCanvas(canvas.width, canvas.height);
    draw();
  };
  Promise.all([below.decode(), above.decode()]).then(() => {
    preview.hidden = true;
    canvas.hidden = false;
    tools.hidden = false;
    form.querySelector("[data-compose-show]").hidden = true;
    fit();
    new ResizeObserver(fit).observe(form);
    canvas.dataset.ready = "yes";
  }, () => { preview.hidden = false; });
};

if (form) begin();
