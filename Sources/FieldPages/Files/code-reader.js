// Looks for a QR code in the live picture. Where the browser cannot read codes itself, it sends small
// pictures to the program on this device, which can.

const widest = 1280;
const pauseMilliseconds = 350;
const patienceMilliseconds = 120_000;

const begin = (root) => {
  const words = JSON.parse(root.dataset.words);
  // A page that shows a live picture already has it read; otherwise the reader opens the camera.
  const shared = root.dataset.video ? document.querySelector(root.dataset.video) : null;
  const video = shared ?? root.querySelector("video");
  const button = root.querySelector("[data-code-start]");
  const note = root.querySelector("[data-code-note]");
  const form = root.querySelector("[data-code-form]");
  const canvas = document.createElement("canvas");
  let stream = null;

  const say = (text) => { note.textContent = text; };

  const stop = () => {
    if (!shared) {
      for (const track of stream?.getTracks() ?? []) track.stop();
      video.hidden = true;
    }
    stream = null;
    button.hidden = false;
  };

  const snapshot = () => new Promise((done) => {
    const scale = Math.min(1, widest / Math.max(video.videoWidth, video.videoHeight, 1));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    if (!canvas.width || !canvas.height) return done(null);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(done, "image/jpeg", .8);
  });

  // The text of a code in the picture, of the office's own if there are several; null if there is none.
  const look = async () => {
    if (globalThis.BarcodeDetector) {
      try {
        const found = await new BarcodeDetector({ formats: ["qr_code"] }).detect(video);
        const texts = found.map((code) => code.rawValue);
        return texts.find((text) => text.startsWith(root.dataset.prefix)) ?? texts[0] ?? null;
      } catch { /* Some browsers have the name only: the program reads the picture. */ }
    }
    const blob = await snapshot();
    if (!blob) return null;
    const answer = await fetch(root.dataset.frames, {
      method: "POST", body: blob,
      headers: { Accept: "application/json", "Content-Type": "image/jpeg", "X-Form-Token": root.dataset.token },
    });
    return answer.ok ? (await answer.json()).ticket ?? null : null;
  };

  const search = async () => {
    const end = performance.now() + patienceMilliseconds;
    while (stream && performance.now() < end) {
      // In a page that shows the picture anyway, a reader that is out of sight looks no more: it must
      // not take a photo's page away.
      if (shared && !root.checkVisibility()) return stop();
      const text = await look().catch(() => null);
      if (!stream || (shared && !root.checkVisibility())) return stop();
      if (text?.startsWith(root.dataset.prefix)) {
        form.elements[root.dataset.field].value = text;
        stop();
        form.requestSubmit();
        return;
      }
      say(text ? words.other : words.looking);
      await new Promise((done) => setTimeout(done, pauseMilliseconds));
    }
    if (stream) say(words.late);
    stop();
  };

  button.addEventListener("click", async () => {
    // A second tap would open a second stream, which nothing stops.
    button.hidden = true;
    if (shared) {
      stream = shared.srcObject;
      if (stream) return search();
      say(words.noCamera);
      button.hidden = false;
      return;
    }
    say(words.opening);
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: false, video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 } },
      });
    } catch {
      say(words.noCamera);
      button.hidden = false;
      return;
    }
    video.srcObject = stream;
    video.hidden = false;
    await video.play().catch(() => {});
    search();
  });
  addEventListener("pagehide", stop);
  button.hidden = false;
};

for (const root of document.querySelectorAll("[data-code]")) begin(root);
