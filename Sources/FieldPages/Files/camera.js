import { beginAim } from "/assets/camera-aim.js";
import { followClock, now } from "/assets/camera-clock.js";
import { beginFeedback } from "/assets/camera-feedback.js";
import { sendPicture } from "/assets/camera-sender.js";
import { turned } from "/assets/camera-pose.js";

const shutterKeys = new Set(["Enter", " ", "AudioVolumeUp", "AudioVolumeDown", "Camera"]);

const soon = (promise, milliseconds) => Promise.race([
  promise,
  new Promise((_, fail) => setTimeout(() => fail(new Error("…")), milliseconds)),
]);

const wordLength = 200;

const isJPEG = async (blob) => {
  const start = new Uint8Array(await blob.slice(0, 3).arrayBuffer());
  return start[0] === 0xFF && start[1] === 0xD8 && start[2] === 0xFF;
};

// A frame of the live picture is about this old when it is drawn, if the browser does not tell, give or take, ms.
const [frameAge, frameAgeSpread] = [30, 50];
// Some browsers never call back: then the frame in view is taken, which can be older, ms.
const frameWait = 200;
// A still that takes longer may come too late for its fix, ms.
const stillAtMost = 100;
const lateStills = "standpoint-late-stills";

/// Waits for the next frame of a live picture that was not made before `begun`. Returns between which
/// times of this page it was made.
const nextFrame = (video, begun) => new Promise((done) => {
  const shown = (waited = 0) => {
    const at = now() - frameAge;
    done({ from: at - frameAgeSpread - waited, to: at + frameAgeSpread });
  };
  if (!video.requestVideoFrameCallback) return shown();
  const patience = setTimeout(() => shown(frameWait), frameWait);
  const look = (_, told) => {
    const at = told.captureTime ?? 0;
    const age = performance.now() - at;
    // Some browsers tell when the camera took the frame.
    if (at > 0 && age >= 0 && age < 1000) {
      const time = performance.timeOrigin + at;
      // A camera's pipeline holds a few frames that are older than the wish for one.
      if (time < begun) return video.requestVideoFrameCallback(look);
      clearTimeout(patience);
      return done({ from: time, to: time });
    }
    clearTimeout(patience);
    shown();
  };
  video.requestVideoFrameCallback(look);
});

/// Opens the browser's camera and shows it in a <video>.
const openCamera = async (video, isGone) => {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: 4096 }, height: { ideal: 3072 } },
  });
  const [track] = stream.getVideoTracks();
  track.addEventListener("ended", isGone);
  video.srcObject = stream;
  await video.play().catch(() => {});
  let photographer = null;
  let settings = {};
  if (globalThis.ImageCapture) {
    photographer = new ImageCapture(track);
    // The largest still that the camera takes, if the browser tells.
    const able = await soon(photographer.getPhotoCapabilities(), 3000).catch(() => null);
    if (able?.imageWidth?.max && able?.imageHeight?.max) {
      settings = { imageWidth: able.imageWidth.max, imageHeight: able.imageHeight.max };
    }
  }
  const frame = async (begun) => {
    const time = await nextFrame(video, begun);
    return { blob: await drawn(), taken: "live-frame", time };
  };
  const drawn = () => new Promise((done, fail) => {
    const canvas = document.createElement("canvas");
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    if (!canvas.width || !canvas.height) return fail(new Error("0 × 0"));
    canvas.getContext("2d").drawImage(video, 0, 0);
    canvas.toBlob((blob) => blob ? done(blob) : fail(new Error("JPEG")), "image/jpeg", .95);
  });
  // This camera's stills came too late before.
  const key = `${lateStills} ${track.label}`;
  let isLate = false;
  try { isLate = sessionStorage.getItem(key) !== null; } catch { /* A private window keeps nothing. */ }
  let takesStills = photographer !== null && !isLate;
  const leaveStills = () => {
    [takesStills, isLate] = [false, true];
    try { sessionStorage.setItem(key, "yes"); } catch { /* As above. */ }
  };
  return {
    takesStills: () => takesStills,
    isLate: () => isLate,
    facing: track.getSettings().facingMode ?? "",
    name: track.label,
    stop: () => { for (const one of stream.getTracks()) one.stop(); },
    /// Takes a JPEG, and says how it was made: a frame of the live picture never passes for a
    /// still.
    take: async () => {
      if (track.readyState !== "live") throw new Error("ended");
      const begun = now();
      if (takesStills) {
        for (const wanted of [settings, {}]) {
          try {
            const from = now();
            const blob = await soon(photographer.takePhoto(wanted), 6000);
            const time = { from, to: now() };
            if (await isJPEG(blob)) return { blob, taken: "still", time };
            break;
          } catch { /* Some cameras refuse their own sizes, some take no stills. */ }
        }
        // After a try that took so long the frame is late, too: the next one need not be.
        if (now() - begun > stillAtMost) leaveStills();
      }
      return frame(now());
    },
    /// Takes frames of the live picture from now on: this camera's stills come too late.
    leaveStills,
  };
};

const begin = (root) => {
  const words = JSON.parse(root.dataset.words);
  const { token, page, task, item, point, footing, making } = root.dataset;
  const part = (name) => root.querySelector(`[data-camera-${name}]`);
  const [stage, video, note, count, shutter] =
    ["stage", "video", "note", "count", "shutter"].map(part);
  const command = part("command");
  const [more, details] = [part("more"), part("details")];
  const live = root.querySelector(".camera-live");
  const aim = beginAim(root, words);
  const clock = followClock("/camera/clock");
  const tones = part("tones");
  const feedback = beginFeedback(() => tones?.checked ?? true);
  let camera = null;
  let state = {};
  let isBusy = false;
  let isTaking = false;
  let exposed = "";
  let model = "";
  navigator.userAgentData?.getHighEntropyValues?.(["model", "platform", "platformVersion"]).then((told) => {
    model = [told.model, told.platform, told.platformVersion].filter(Boolean).join(" ");
  }).catch(() => {});
  try { tones.checked = localStorage.getItem("standpoint-tones") !== "off"; } catch { /* A private window keeps nothing. */ }
  tones?.addEventListener("change", () => {
    try { localStorage.setItem("standpoint-tones", tones.checked ? "on" : "off"); } catch { /* As above. */ }
  });

  const say = (text, kind = "note") => {
    note.hidden = !text;
    note.className = `notice notice-${kind} camera-note`;
    if (note.textContent !== (text ?? "")) note.textContent = text ?? "";
  };

  // Posts a form. Returns the words for a failure; null after success.
  const post = async (address, fields, options = {}) => {
    const body = new URLSearchParams({ csrf: token, ...fields });
    for (const [name, value] of Object.entries({ task, item, point, footing, making })) {
      if (value) body.set(name, value);
    }
    try {
      const answer = await fetch(address, {
        method: "POST", body, headers: { Accept: "application/json" }, ...options,
      });
      if (answer.ok) return null;
      return (await answer.json().catch(() => ({}))).words ?? words.noAnswer;
    } catch {
      return words.noAnswer;
    }
  };

  const hand = async (number) => {
    isTaking = true;
    draw();
    try {
      const before = aim.held();
      const { blob, taken, time } = await camera.take();
      // With a slow camera the device may have been turned meanwhile: then its pose is unknown.
      const after = aim.held();
      const held = turned(before, after) <= 5 ? after : null;
      const told = {
        ...held, taken, facing: camera.facing, camera: camera.name.slice(0, wordLength), model: model.slice(0, wordLength), time, trip: clock.best(),
      };
      const lost = await sendPicture(number, blob, told, token);
      if (lost) {
        // The field unit must not wait for bytes that nobody sends any more.
        if (!lost.words) await post("/camera/close", { page });
        if (taken === "still" && time.to - time.from > stillAtMost) camera.leaveStills();
        say([lost.words ?? words.frameLost, camera.isLate() ? words.slowStills : ""].join(" ").trim(), "error");
      }
    } catch (error) {
      // The field unit must not wait for a picture that will not come.
      await post("/camera/close", { page });
      say(words.pictureFailed.replace("{1}", error.message || error.name), "error");
    } finally {
      isTaking = false;
      draw();
    }
  };

  const draw = () => {
    const isLost = live.classList.contains("is-lost");
    const isGoing = ["waiting", "countdown", "expose", "sending", "sealing"].includes(state.stage);
    if (shutter) {
      shutter.hidden = !camera || isCommand();
      shutter.disabled = !camera || isBusy || isTaking || isLost || !state.isReady;
      shutter.classList.toggle("is-going", isGoing);
    }
    const text = isLost ? ""
      : state.stage === "countdown" ? String(state.secondsLeft ?? "")
      : isTaking || state.stage === "expose" ? "◉" : "";
    if (count.textContent !== text) count.textContent = text;
  };

  // The samples as a ring round the shutter, and their number in it.
  const [ring, samples] = [part("ring"), part("samples")];
  const drawSamples = () => {
    if (!shutter) return;
    const { samples: taken = 0, samplesWanted: wanted = 0 } = state;
    const share = wanted > 0 ? taken / wanted : state.isReady ? 1 : 0;
    ring.setAttribute("stroke-dasharray", `${100 * share} 100`);
    const text = state.samplesWords ?? "";
    if (samples.textContent !== text) samples.textContent = text;
  };

  // The photo that was taken gets the focus once, so that keys and screen readers are at it.
  let shown = "";
  const review = () => {
    const photo = state.captured ?? "";
    if (photo && photo !== shown) {
      setDetails(false);
      say(null);
      root.querySelector("[data-camera-review]")?.focus({ preventScroll: true });
    }
    shown = photo;
  };

  const setDetails = (isOpen) => {
    root.classList.toggle("is-detailed", isOpen);
    details?.setAttribute("aria-expanded", String(isOpen));
  };

  const read = () => {
    const told = root.querySelector("[data-camera-state]");
    try { state = JSON.parse(told.dataset.cameraState); } catch { return; }
    // The numbers stand with the other details, and not on the picture.
    const panels = live.querySelector(".camera-panels");
    if (panels) {
      for (const old of more.querySelectorAll(".camera-panels")) old.remove();
      more.append(panels);
    }
    aim.take(state);
    feedback.take(state, live.classList.contains("is-lost"));
    draw();
    drawSamples();
    review();
    const isMine = state.stage === "expose" && state.number && camera && !isCommand();
    if (isMine && state.number !== exposed) {
      exposed = state.number;
      hand(state.number);
    }
  };

  const answer = async (form) => {
    if (isBusy) return;
    isBusy = true;
    const fields = Object.fromEntries(new FormData(form));
    const refusal = await post(new URL(form.action).pathname, fields);
    say(refusal, "error");
    isBusy = false;
    if (refusal || !form.dataset.cameraDeliver) return;
    location.assign(form.dataset.cameraDeliver);
  };

  // The question before a task is sent takes the place of the buttons.
  const ask = (isOpen) => {
    const [question, choices] = ["ask", "choices"].map(part);
    if (!question) return;
    question.hidden = !isOpen;
    choices.hidden = isOpen;
    question.querySelector(".camera-asked").focus({ preventScroll: true });
    if (!isOpen) choices.querySelector("[data-camera-send]").focus({ preventScroll: true });
  };

  // Says that this camera takes no stills, and why.
  const hint = () => camera.takesStills() ? null : camera.isLate() ? words.slowStills : words.liveFrames;

  const press = async () => {
    if (state.stage === "captured") {
      // A clicker goes on to the next photo; a question is answered by its own buttons.
      const onward = root.querySelector("[data-camera-onward]");
      if (onward) return onward.requestSubmit();
      const next = root.querySelector('form[action="/camera/keep"]');
      return next?.checkVisibility() ? answer(next) : undefined;
    }
    if (!shutter || shutter.hidden || shutter.disabled) return;
    isBusy = true;
    say(hint());
    draw();
    const refusal = await post("/camera/capture", { page });
    if (refusal) say(refusal, "error");
    isBusy = false;
    draw();
  };

  // With a live picture the camera takes the whole screen.
  const full = (isFull) => {
    stage.hidden = !isFull;
    root.classList.toggle("is-full", isFull);
    if (details) details.hidden = !isFull;
    if (part("label")) part("label").hidden = !isFull;
    if (!isFull) setDetails(false);
  };

  // The choice between two cameras.
  const origin = part("origin");
  const isCommand = () => Boolean(command) && (!camera || origin?.value === "command");
  const chosen = () => {
    const byCommand = isCommand();
    full(!byCommand && Boolean(camera));
    if (command) command.hidden = !byCommand;
    if (camera) say(byCommand ? words.command : hint());
    draw();
    aim.take(state);
  };
  origin?.addEventListener("change", () => {
    try { localStorage.setItem("standpoint-camera", origin.value); } catch { /* A private window keeps nothing. */ }
    chosen();
  });

  const failure = (error) => {
    switch (error.name) {
      case "NotAllowedError": case "SecurityError": return words.refused;
      case "NotFoundError": case "OverconstrainedError": return words.none;
      case "NotReadableError": case "AbortError": return words.busy;
      default: return words.failed.replace("{1}", error.message || error.name);
    }
  };

  const without = (text) => {
    camera = null;
    say(`${text} ${command ? words.command : words.commandless}`, command ? "warning" : "error");
    if (part("which")) part("which").hidden = true;
    chosen();
  };

  const open = async () => {
    if (!isSecureContext) return without(words.insecure);
    // The window that a phone opens by itself for a new Wi-Fi has none, and says nothing of it. The device's
    // own browser opens no such windows.
    if (!navigator.mediaDevices?.getUserMedia) {
      const isOwn = /^(localhost|127\.|\[::1\])/.test(location.hostname);
      return without(isOwn ? words.none : words.portal.replace("{1}", location.origin));
    }
    say(words.starting);
    full(true);
    try {
      camera = await openCamera(video, () => without(words.gone));
    } catch (error) {
      return without(failure(error));
    }
    say(null);
    aim.look(camera.facing);
    if (part("which")) part("which").hidden = false;
    try {
      const kept = localStorage.getItem("standpoint-camera");
      if (origin && kept) origin.value = kept;
    } catch { /* A private window keeps nothing. */ }
    chosen();
    read();
  };

  // The screen stays on while the camera is in use.
  let lock = null;
  const stayAwake = async () => {
    if (document.visibilityState !== "visible" || !navigator.wakeLock) return;
    lock = await navigator.wakeLock.request("screen").catch(() => null);
  };
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();

  root.addEventListener("live", read);
  root.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-camera-answer], [data-camera-deliver]")) return;
    event.preventDefault();
    event.stopPropagation();
    answer(event.target);
  });
  root.addEventListener("click", (event) => {
    if (event.target.closest("[data-camera-back]")) return ask(false);
    if (!event.target.closest("[data-camera-send]") || !part("ask")) return;
    event.preventDefault();
    ask(true);
  });
  details?.addEventListener("click", (event) => {
    setDetails(!root.classList.contains("is-detailed"));
    // Behind a finger the keys of a clicker are the shutter's again; a keyboard stays where it is.
    if (event.detail > 0) details.blur();
  });
  shutter?.addEventListener("click", press);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") {
      if (more.contains(event.target)) details?.focus();
      return setDetails(false);
    }
    if (!shutterKeys.has(event.key)) return;
    // Enter and the space bar belong to the focused element.
    const own = event.target.closest?.("a, button, input, select, textarea, summary");
    if (own && (event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    event.stopPropagation();
    if (command && isCommand()) return command.requestSubmit();
    press();
  }, true);
  setInterval(() => {
    feedback.take(state, live.classList.contains("is-lost"));
    draw();
  }, 500);

  // A page that is left must not leave a camera on, or an unseen countdown running.
  addEventListener("pagehide", () => {
    camera?.stop();
    camera = null;
    lock?.release?.();
    if (["waiting", "countdown", "expose"].includes(state.stage)) {
      post("/camera/close", { page }, { keepalive: true });
    }
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  read();
  if (shutter) open(); else aim.take(state);
};

const root = document.querySelector("[data-camera]");
if (root) begin(root);
