// Live parts: data-live="URL" is a stream of server-sent events, each with the element's new
// contents.
const lost = (element, isLost) => {
  const words = element.dataset.liveLost;
  if (!words) return;
  const before = element.previousElementSibling;
  const note = before && before.matches(".live-lost") ? before : null;
  if (isLost && !note) {
    const made = document.createElement("p");
    made.className = "live-lost";
    made.setAttribute("role", "status");
    made.textContent = words;
    element.before(made);
  } else if (!isLost && note) {
    note.remove();
  }
  element.classList.toggle("is-lost", isLost);
};

const shown = new WeakMap();

// A button that is replaced between the press of a finger and its release is not clicked: until
// then a part waits, with its newest contents. A click may come a moment after the release.
const CLICK = 150;
let pressed = null;
const waiting = new Map();
addEventListener("pointerdown", (event) => { pressed = event.target.closest?.("[data-live]") ?? null; }, true);
for (const kind of ["pointerup", "pointercancel"]) {
  addEventListener(kind, () => {
    const mine = pressed;
    setTimeout(() => {
      if (pressed === mine) pressed = null;
      for (const [element, html] of waiting) show(element, html);
    }, CLICK);
  }, true);
}

// Replaces a part, and keeps the person's focus and opened details in it.
const show = (element, html) => {
  waiting.delete(element);
  if (element === pressed) return void waiting.set(element, html);
  if (shown.get(element) === html) return;
  const active = document.activeElement;
  const id = active && element.contains(active) ? active.id : "";
  const opened = [...element.querySelectorAll("details[id][open]")].map((one) => one.id);
  element.innerHTML = html;
  shown.set(element, html);
  for (const one of opened) {
    const again = document.getElementById(one);
    if (again) again.open = true;
  }
  if (id) document.getElementById(id)?.focus({ preventScroll: true });
  // A page's own scripts read the new contents.
  element.dispatchEvent(new CustomEvent("live", { bubbles: true }));
};

const streams = new Map();

const follow = (url) => {
  const elements = () => [...document.querySelectorAll("[data-live]")]
    .filter((one) => one.dataset.live === url);
  const each = (work) => {
    const found = elements();
    for (const one of found) work(one);
    if (found.length === 0) stop(url);
  };
  const stream = new EventSource(url);
  let timer = 0;
  // The time of the last event, and if the stream has promised one every second.
  let heard = performance.now();
  let isBeating = false;
  let isSilent = false;
  const hear = () => {
    heard = performance.now();
    isSilent = false;
    clearTimeout(timer);
    each((one) => lost(one, false));
  };
  // A value without confirmation is not shown as a current one: the program or the line may hang.
  const watch = setInterval(() => {
    if (streams.get(url) !== stream) return clearInterval(watch);
    const isOpen = stream.readyState === EventSource.OPEN;
    if (isSilent || (isOpen && !isBeating) || performance.now() - heard < 2500) return;
    isSilent = true;
    each((one) => lost(one, true));
  }, 500);
  stream.onopen = hear;
  stream.onmessage = (event) => {
    hear();
    each((one) => show(one, event.data));
    // The person whose part it was has signed out: the stream is not asked for again.
    const over = elements().filter((one) => one.querySelector("[data-live-over]"));
    for (const one of over) delete one.dataset.live;
    if (over.length > 0) stop(url);
  };
  stream.addEventListener("alive", () => {
    isBeating = true;
    hear();
  });
  stream.onerror = () => {
    isSilent = true;
    each((one) => lost(one, true));
    // A browser gives up for good if the answer was no stream, as during a restart or a busy
    // moment.
    if (stream.readyState === EventSource.CLOSED && streams.get(url) === stream) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (streams.get(url) !== stream) return;
        streams.delete(url);
        start();
      }, 5000);
    }
  };
  streams.set(url, stream);
};

const stop = (url) => {
  streams.get(url)?.close();
  streams.delete(url);
};

const start = () => {
  const wanted = new Set(
    [...document.querySelectorAll("[data-live]")].map((one) => one.dataset.live));
  for (const url of wanted) if (url && !streams.has(url)) follow(url);
};

addEventListener("pagehide", () => { for (const url of [...streams.keys()]) stop(url); });
addEventListener("pageshow", (event) => {
  // A page from the browser's memory shows old values: it says so until the stream answers.
  if (event.persisted) {
    for (const one of document.querySelectorAll("[data-live]")) lost(one, true);
  }
  start();
});
start();

// The time when the page was shown, and if one of its forms is being sent.
let came = performance.now();
let isLeaving = false;
const arrive = () => { came = performance.now(); isLeaving = false; };
addEventListener("pageshow", arrive);

// Confirmations before irreversible actions: on the form, or on the one button that needs it.
document.addEventListener("submit", (event) => {
  const words = event.submitter?.dataset.confirm ?? event.target.dataset.confirm;
  if (isLeaving || (words && !confirm(words))) return event.preventDefault();
  if (event.target.method !== "post") return;
  isLeaving = true;
  // After an answer that is no page, this page stays and works again.
  setTimeout(() => { isLeaving = false; }, 10000);
});

// A form that is offered for some seconds, data-lasts="10": it counts them, then goes.
const count = (form) => {
  const ends = performance.now() + 1000 * Number(form.dataset.lasts);
  const left = form.querySelector("[data-left]");
  const timer = setInterval(() => {
    const seconds = Math.ceil((ends - performance.now()) / 1000);
    if (left) left.textContent = String(seconds);
    if (seconds > 0 || isLeaving) return;
    clearInterval(timer);
    // The focus stays at the message.
    if (form.contains(document.activeElement)) document.getElementById("main")?.focus();
    form.remove();
  }, 250);
};
const countAll = () => { for (const form of document.querySelectorAll("[data-lasts]")) count(form); };
countAll();

// The contents of another page have come into this one.
document.addEventListener("page", () => {
  arrive();
  start();
  countAll();
});

// Keys: data-key="a" on a link, a button or a field, while no field is being written in.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (event.defaultPrevented) return;
  // The second press of a key is not meant for the page that has just come, and nothing is sent
  // twice.
  if (isLeaving || event.timeStamp - came < 700) return;
  // A slider takes digits and letters from nobody.
  if (event.target.closest?.(
    "input:not([type=range]), textarea, select, [contenteditable], dialog")) return;
  // A page with an error is read first: no single key decides anything on it.
  if (document.querySelector(".notice-error")) return;
  const found = [...document.querySelectorAll("[data-key]")]
    .find((one) => one.dataset.key === event.key && !one.disabled && one.checkVisibility());
  if (!found) return;
  event.preventDefault();
  const field = found.dataset.keyField && found.form?.elements[found.dataset.keyField];
  if (field) {
    meant.set(field, found);
    field.focus();
  } else if (found.matches("a, button, summary")) {
    found.click();
  } else {
    found.focus();
  }
});

// The button whose key has led to a field, or that was pressed before the page showed an error:
// Ctrl+Enter in that field presses it.
const meant = new WeakMap();
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isLeaving) return;
  const button = meant.get(event.target) ?? event.target.form?.querySelector("[data-meant]");
  if (!button?.isConnected || button.disabled) return;
  event.preventDefault();
  button.form.requestSubmit(button);
});
