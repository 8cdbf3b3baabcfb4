// Takes a set with the browser's camera and motion sensors: each frame is judged here, the best of each
// sector goes to the field unit, and the page says what is missing.
import { chosenLayer, drawTiles, tilesBelow } from "/assets/set-way.js";
import { azimuthOf, beginJudge, guidance, pictureOf, rotationOf } from "/assets/set-judge.js";

const screenAngle = () => {
  const angle = globalThis.screen?.orientation?.angle ?? globalThis.orientation ?? 0;
  return ((Math.round(angle / 90) * 90) % 360 + 360) % 360;
};

/// Follows the motion sensors: calls `heard` with each sample. The rotation is that of the gyroscope where
/// the browser has it: only its change counts. `compass` gets the rotation from the compass' north.
const followMotion = (compass, heard) => {
  let shake = { milliseconds: -Infinity, value: null };
  addEventListener("devicemotion", ({ acceleration, timeStamp }) => {
    const { x, y, z } = acceleration ?? {};
    const value = [x, y, z].every(Number.isFinite) ? Math.hypot(x, y, z) : null;
    shake = { milliseconds: timeStamp, value };
  });
  // The compass says where north is, and only that.
  for (const kind of ["deviceorientationabsolute", "deviceorientation"]) {
    addEventListener(kind, ({ absolute, alpha, beta, gamma, webkitCompassHeading, timeStamp }) => {
      if (![beta, gamma].every(Number.isFinite)) return;
      const north = absolute && Number.isFinite(alpha) ? alpha
        : Number.isFinite(webkitCompassHeading) ? 360 - webkitCompassHeading : null;
      if (north !== null) compass.rotation = rotationOf(north, beta, gamma);
      if (north !== null) compass.milliseconds = timeStamp;
    });
  }
  addEventListener("deviceorientation", ({ alpha, beta, gamma, timeStamp }) => {
    if (![alpha, beta, gamma].every(Number.isFinite)) return;
    heard({
      milliseconds: timeStamp, rotation: rotationOf(alpha, beta, gamma),
      acceleration: timeStamp - shake.milliseconds < 200 ? shake.value : null,
    });
  });
};

/// Calls `seen` with the moment of each frame of a video, milliseconds by the clock of the sensors.
const followFrames = (video, seen) => {
  if (video.requestVideoFrameCallback) {
    const next = (now, { captureTime }) => {
      video.requestVideoFrameCallback(next);
      seen(captureTime ?? now);
    };
    video.requestVideoFrameCallback(next);
    return;
  }
  let last = -1;
  const next = (now) => {
    requestAnimationFrame(next);
    if (video.currentTime === last) return;
    last = video.currentTime;
    seen(now);
  };
  requestAnimationFrame(next);
};

const begin = (root) => {
  const words = JSON.parse(root.dataset.words);
  const { page, token, query } = root.dataset;
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const [video, hint, note, filled] = ["video", "hint", "note", "filled"].map(part);
  const buttons = Object.fromEntries(["begin", "end", "stop", "sensors", "leave"].map((name) => [name, part(name)]));
  const live = root.querySelector(".set-live");
  const segments = [...root.querySelectorAll(".set-ring .is-held, .set-ring .is-missing")];
  const needle = root.querySelector("[data-set-needle]");
  const canvas = document.createElement("canvas");
  const isWalked = Boolean(root.dataset.walked);
  const compass = { rotation: null, milliseconds: -Infinity };
  let state = { stage: "idle" };
  let [judge, stream, isBusy, isPlanned, isUploading] = [null, null, false, false, false];
  // The frames that are judged good and not handed yet, by sector: a better one takes the place of a
  // worse one.
  const outbox = new Map();
  const canAsk = typeof globalThis.DeviceOrientationEvent?.requestPermission === "function";
  const opened = performance.now();
  let [hasAsked, isEnding] = [false, false];
  let [judged, heardAt, lastAngle, rate, told] = [0, -Infinity, null, 0, ""];

  const fill = (text, ...values) => text.replace(/\{(\d)\}/g, (_, place) => values[place - 1]);
  const say = (text) => {
    note.hidden = !text;
    if (note.textContent !== (text ?? "")) note.textContent = text ?? "";
  };

  const form = () => {
    const fields = new URLSearchParams(query);
    fields.set("csrf", token);
    fields.set("page", page);
    return fields;
  };
  // Posts the page's form. Returns the words for a failure; null after success.
  const post = async (address) => {
    try {
      const answer = await fetch(address, {
        method: "POST", body: form(), headers: { Accept: "application/json" },
      });
      if (answer.ok) return null;
      return (await answer.json().catch(() => ({}))).words ?? words.noAnswer;
    } catch {
      return words.noAnswer;
    }
  };

  // MARK: frames

  const encode = (picture) => new Promise((done, fail) => {
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.getContext("2d").drawImage(picture, 0, 0);
    picture.close();
    canvas.toBlob((blob) => blob ? done(blob) : fail(new Error("JPEG")), "image/jpeg", .9);
  });

  const hand = async (frame, decision) => {
    const number = state.number;
    const { before, after } = decision;
    const about = { milliseconds: frame.milliseconds, screen: frame.screen, before, after };
    if (decision.isFirst) about.firstMiddle = decision.firstMiddle;
    const answer = await fetch(`/sets/run/frame?number=${encodeURIComponent(number)}`, {
      method: "POST", body: await encode(await frame.picture),
      headers: {
        Accept: "application/json", "Content-Type": "image/jpeg", "X-Form-Token": token,
        "X-Frame-Words": JSON.stringify(about),
      },
    }).catch(() => { throw new Error(words.noAnswer); });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(said.words ?? words.noAnswer);
    return said.answer;
  };

  // Hands the frames over, one at a time and the oldest sector first.
  const send = async () => {
    if (isUploading) return;
    isUploading = true;
    for (let next = outbox.entries().next(); !next.done; next = outbox.entries().next()) {
      const [sector, { frame, decision }] = next.value;
      outbox.delete(sector);
      let answer = null;
      try {
        answer = await hand(frame, decision);
        say(null);
      } catch (problem) {
        say(fill(words.lost, problem.message));
      }
      // Without the first frame, no angle of the others means anything.
      if (decision.isFirst && !["kept", "notBetter"].includes(answer)) drop();
      else if (answer === null) judge?.giveBack(sector, state.held?.[sector] ?? null, false);
      plan();
    }
    isUploading = false;
  };

  // The ring must not show a sector as held that the field unit has not got when the frames end.
  const allSent = async () => {
    isEnding = true;
    while (isUploading || outbox.size) await new Promise((done) => { setTimeout(done, 50); });
  };

  const throwAway = (frame) => { frame.picture.then((picture) => picture.close()).catch(() => {}); };

  const drop = () => {
    isEnding = false;
    for (const { frame } of outbox.values()) throwAway(frame);
    outbox.clear();
    judge = null;
  };

  const decided = (frame, decision) => {
    judged += 1;
    if (decision.answer !== "kept") return throwAway(frame);
    const worse = outbox.get(decision.sector);
    if (worse?.decision.isFirst) return throwAway(frame);
    if (worse) throwAway(worse.frame);
    outbox.set(decision.sector, { frame, decision });
    send();
  };

  // The views of a turn look to north, east, south and west if the compass is heard. The walk round a thing
  // begins where the inspector stands.
  const firstMiddle = () => {
    const known = Number(root.dataset.firstMiddle);
    const isHeard = performance.now() - compass.milliseconds < 500 && Number.isFinite(state.declinationDegrees);
    const azimuth = isWalked || known || !isHeard ? null
      : azimuthOf(pictureOf(compass.rotation, screenAngle()));
    if (azimuth === null) return known;
    const north = (((-azimuth - state.declinationDegrees) % 360) + 360) % 360;
    return Math.round(north * 1000) / 1000 % 360;
  };

  const follow = (milliseconds) => {
    if (isEnding || state.stage !== "taking" || !state.number || !video.videoWidth) return;
    judge ??= beginJudge({
      sectors: Number(root.dataset.sectors), firstMiddle,
      weights: JSON.parse(root.dataset.weights), firstDegrees: state.firstDegrees, held: state.held,
    }, decided);
    const picture = createImageBitmap(video);
    picture.catch(() => {});
    judge.offer({ milliseconds, screen: screenAngle(), picture });
    plan();
  };

  followMotion(compass, (sample) => {
    const before = heardAt;
    heardAt = sample.milliseconds;
    judge?.sense(sample);
    const seen = judge?.now(heardAt, screenAngle());
    if (seen && lastAngle !== null && heardAt > before) {
      const turned = ((seen.angle - lastAngle + 540) % 360) - 180;
      // The rate of about the last quarter of a second.
      rate += (turned / (heardAt - before) * 1000 - rate) * Math.min(1, (heardAt - before) / 250);
    }
    lastAngle = seen?.angle ?? null;
    plan();
  });

  // MARK: what is shown

  const drawRing = (held) => {
    segments.forEach((segment, sector) => {
      if (judge) segment.setAttribute("transform", `rotate(${judge.ring.middle(0) - Number(root.dataset.firstMiddle)})`);
      const isHeld = held[sector] !== null && held[sector] !== undefined;
      segment.classList.toggle("is-held", isHeld);
      segment.classList.toggle("is-missing", !isHeld);
    });
    const text = fill(words.filled, held.filter((one) => one !== null).length, segments.length);
    if (filled.textContent !== text) filled.textContent = text;
  };

  const layer = chosenLayer(JSON.parse(root.dataset.layers || "[]"));
  part("attribution").textContent = layer?.attribution ?? "";

  const drawWay = () => {
    const way = state.way ?? [];
    if (!way.length) return;
    const doubt = state.uncertaintyMetres ?? 0;
    const [east, north] = [0, 1].map((axis) => way.map((place) => place[axis]));
    const middle = [east, north].map((all) => (Math.min(0, ...all) + Math.max(0, ...all)) / 2);
    const across = Math.max(4, ...[east, north].map((all) => Math.max(0, ...all) - Math.min(0, ...all)));
    const scale = 160 / (across + 2 * Math.min(doubt, across));
    const at = ([e, n]) => [(e - middle[0]) * scale, (middle[1] - n) * scale].map((value) => value.toFixed(1));
    if (layer && state.origin) drawTiles(part("tiles"), tilesBelow(state.origin, middle, 200 / scale, layer), scale);
    const points = [[0, 0], ...way].map((place) => at(place).join(",")).join(" ");
    for (const name of ["edge", "way"]) part(name).setAttribute("points", points);
    const [start, here] = [at([0, 0]), at(way.at(-1))];
    for (const [name, [x, y]] of [["start", start], ["here", here], ["doubt", here]]) {
      part(name).setAttribute("cx", x);
      part(name).setAttribute("cy", y);
    }
    part("doubt").setAttribute("r", (doubt * scale).toFixed(1));
    part("scale").textContent = fill(words.scale, Math.round(across));
  };

  const guide = () => {
    if (state.stage !== "taking") return "";
    const now = performance.now();
    if (now - heardAt > 1000) return words.sensors;
    const seen = judge?.now(heardAt, screenAngle());
    if (!seen) return words.begin;
    const { code, degrees } = guidance({ ...seen, rate }, judge.held, judge.ring, isWalked);
    root.dataset.guide = code;
    return fill(words[code], degrees);
  };

  const drawNow = () => {
    const { stage } = state;
    const isGoing = ["opening", "taking", "closing"].includes(stage);
    const isLost = live.classList.contains("is-lost");
    root.classList.toggle("is-taking", stage === "taking");
    buttons.begin.hidden = isGoing || stage === "sealed" || !stream;
    buttons.begin.disabled = isBusy || isLost || stage === "elsewhere";
    buttons.end.hidden = stage !== "taking";
    buttons.end.disabled = isBusy || isLost;
    buttons.stop.hidden = !isGoing;
    buttons.leave.hidden = isGoing;
    // Most browsers with a permission to ask for have granted it already.
    buttons.sensors.hidden = !canAsk || hasAsked || Number.isFinite(heardAt) || performance.now() - opened < 2500;
    part("how").hidden = isGoing;
    const seen = judge?.now(heardAt, screenAngle());
    if (seen) needle.setAttribute("transform", `rotate(${seen.angle.toFixed(1)})`);
    const held = judge?.held ?? state.held ?? [];
    if (held.length) drawRing(held);
    const text = guide();
    if (text !== told) hint.textContent = told = text;
    root.dataset.judged = judged;
  };
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      drawNow();
    });
  };

  const read = () => {
    const before = state.stage;
    try {
      state = JSON.parse(root.querySelector("[data-set-state]").dataset.setState);
    } catch { return; }
    if (before !== state.stage) {
      if (state.stage !== "taking") drop();
      if (state.stage === "sealed" && state.next) {
        isLeaving = true;
        return location.assign(state.next);
      }
    }
    drawWay();
    plan();
  };
  let isLeaving = false;

  // MARK: buttons

  const press = (button, work) => button.addEventListener("click", async () => {
    if (isBusy) return;
    isBusy = true;
    drawNow();
    say(await work());
    isBusy = false;
    plan();
  });
  const nothing = async () => note.textContent;
  press(buttons.begin, () => {
    drop();
    return post("/sets/run");
  });
  press(buttons.end, async () => {
    const held = judge?.held ?? state.held ?? [];
    const empty = held.filter((one) => one === null).length;
    if (empty > 0 && !confirm(fill(words.incomplete, empty, held.length))) return nothing();
    await allSent();
    const problem = await post("/sets/run/end");
    if (problem) isEnding = false;
    return problem;
  });
  press(buttons.stop, async () => {
    if (!isWalked && !confirm(words.giveUp)) return nothing();
    await allSent();
    const problem = await post("/sets/run/close");
    if (problem) {
      isEnding = false;
      return problem;
    }
    isLeaving = true;
    location.assign("/sets/new");
    return null;
  });
  buttons.sensors.addEventListener("click", async () => {
    await Promise.all([globalThis.DeviceOrientationEvent, globalThis.DeviceMotionEvent]
      .map((kind) => kind?.requestPermission?.())).catch(() => {});
    hasAsked = true;
    plan();
  });

  // A page that is left interrupts its set: a walk is kept.
  addEventListener("pagehide", () => {
    if (!isLeaving && ["opening", "taking", "closing"].includes(state.stage)) {
      navigator.sendBeacon("/sets/run/close", form());
    }
  });

  const open = async () => {
    if (!isSecureContext || !navigator.mediaDevices?.getUserMedia) return say(words.insecure);
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: {
          facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 },
          frameRate: { ideal: 30 },
        },
      });
    } catch (problem) {
      return say(problem.name === "NotAllowedError" ? words.refused
        : fill(words.failed, problem.message || problem.name));
    }
    video.srcObject = stream;
    await video.play().catch(() => {});
    followFrames(video, follow);
    plan();
  };

  // The screen stays on while the camera is in use.
  const stayAwake = () => {
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
  part("plain").hidden = true;
  setInterval(plan, 500);
  root.addEventListener("live", read);
  read();
  open();
};

for (const root of document.querySelectorAll("[data-set-camera]")) begin(root);
