// A file is made first, and then downloaded: meanwhile a dialog shows the progress, and its button
// cancels both.
const shelf = document.querySelector("dialog[data-take-away]");
const isFile = /\.(kml|kmz|gpx|geojson|gpkg|csv|pdf|zip)$/;

// One file at a time: a link that is pressed twice is meant once.
let isTaking = false;

const takeAway = async (address, options, otherwise) => {
  if (isTaking) return;
  isTaking = true;
  const words = shelf.querySelector("[data-take-words]");
  const bar = shelf.querySelector("progress");
  const ending = new AbortController();
  words.textContent = shelf.dataset.making;
  bar.hidden = false;
  bar.removeAttribute("value");
  shelf.onclose = () => ending.abort();
  // Small files are ready before the dialog could be read.
  const opening = setTimeout(() => shelf.showModal(), 300);
  const close = () => {
    clearTimeout(opening);
    shelf.onclose = null;
    shelf.close();
  };
  try {
    const answer = await fetch(address, { ...options, signal: ending.signal });
    const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
    if (!answer.ok || !name) {
      // A refusal or a sign-in page is shown as it would be without this script.
      close();
      ending.abort();
      return otherwise();
    }
    const isPacked = answer.headers.has("Content-Encoding");
    const whole = isPacked ? 0 : Number(answer.headers.get("Content-Length") ?? 0);
    const parts = [];
    let here = 0;
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      here += value.length;
      words.textContent = shelf.dataset.coming;
      if (whole > 0) bar.value = here / whole;
    }
    if (whole > 0 && here !== whole) throw new Error("cut off");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts, { type: answer.headers.get("Content-Type") ?? "" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    close();
  } catch {
    clearTimeout(opening);
    // A cancelled download needs no message; any other failure is shown, and nothing of the file
    // was kept.
    if (ending.signal.aborted) return;
    words.textContent = shelf.dataset.failed;
    bar.hidden = true;
    if (!shelf.open) shelf.showModal();
  } finally {
    isTaking = false;
  }
};

if (shelf) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button !== 0 || link.target) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const address = new URL(link.href, location.href);
    if (address.origin !== location.origin || !isFile.test(address.pathname)) return;
    event.preventDefault();
    takeAway(address, {}, () => location.assign(address));
  });
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || !isFile.test("." + button.value)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const form = event.target;
    takeAway(
      form.action, { method: "POST", body: new URLSearchParams(new FormData(form, button)) },
      () => {
        // Sends the same form without this script: the browser shows the answer.
        const chosen = document.createElement("input");
        Object.assign(chosen, { type: "hidden", name: button.name, value: button.value });
        form.append(chosen);
        form.submit();
      });
  }, true);
}
