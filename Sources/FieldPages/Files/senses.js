const show = (sense, isGood, key, value) => {
  for (const row of document.querySelectorAll(`[data-sense="${sense}"]`)) {
    row.classList.toggle("light-good", isGood);
    row.classList.toggle("light-warn", !isGood);
    const words = row.querySelector("[data-words]");
    const text = (row.dataset[key] ?? "").replace("{1}", value ?? "");
    if (words && words.textContent !== text) words.textContent = text;
  }
};

const wanted = (sense) => document.querySelector(`[data-sense="${sense}"]`) !== null;

const permission = async (name) => {
  try {
    return (await navigator.permissions.query({ name })).state;
  } catch {
    return "prompt";
  }
};

const lookForCamera = async () => {
  if (!wanted("camera")) return;
  if (!navigator.mediaDevices?.enumerateDevices) return show("camera", false, "insecure");
  if (await permission("camera") === "denied") return show("camera", false, "refused");
  let cameras = 0;
  try {
    const devices = await navigator.mediaDevices.enumerateDevices();
    cameras = devices.filter((one) => one.kind === "videoinput").length;
  } catch { /* Counts as no camera. */ }
  if (cameras > 0) show("camera", true, "found", String(cameras));
  else show("camera", false, "none");
};

let heardMotion = false;
const hear = (event) => {
  // A browser without sensors sends one empty event.
  if (heardMotion || (event.beta === null && event.gamma === null && event.alpha === null)) return;
  heardMotion = true;
  show("motion", true, "found");
};

const lookForMotion = () => {
  if (!wanted("motion")) return;
  if (!isSecureContext || !("DeviceOrientationEvent" in window)) {
    return show("motion", false, isSecureContext ? "none" : "insecure");
  }
  addEventListener("deviceorientation", hear);
  addEventListener("deviceorientationabsolute", hear);
  setTimeout(() => { if (!heardMotion) show("motion", false, "none"); }, 3000);
};

const askForCamera = async () => {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: true });
    for (const track of stream.getTracks()) track.stop();
  } catch (problem) {
    if (problem.name === "NotAllowedError") return show("camera", false, "refused");
  }
  await lookForCamera();
};

const askForMotion = async () => {
  try {
    const answer = await DeviceOrientationEvent.requestPermission?.();
    if (answer === "denied") return show("motion", false, "refused");
  } catch { /* The sensors are looked for anyway. */ }
  lookForMotion();
};

for (const place of document.querySelectorAll("[data-ask]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = place.dataset.label;
  const ask = place.dataset.ask === "camera" ? askForCamera : askForMotion;
  button.addEventListener("click", ask);
  place.append(button);
}

navigator.mediaDevices?.addEventListener?.("devicechange", lookForCamera);
lookForCamera();
lookForMotion();
