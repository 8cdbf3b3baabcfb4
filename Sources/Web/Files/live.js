// Live parts: data-live="URL" is a stream of server-sent events, each the element's new contents.
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

// What a person is doing inside the part survives its replacement.
const show = (element, html) => {
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
  // Scripts of a page's own read what has come.
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
  // What was heard last, and whether the stream has promised to say something every second.
  let heard = performance.now();
  let isBeating = false;
  let isSilent = false;
  const hear = () => {
    heard = performance.now();
    isSilent = false;
    clearTimeout(timer);
    each((one) => lost(one, false));
  };
  // A value that nobody confirms is not shown as a current one: the program may hang, or the line.
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
    // Whose part it was has left: it is not asked for again.
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
    // A browser gives up for good when the answer was no stream: a restart, a busy moment.
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
  // A page that comes back from the browser's memory shows what was: it says so until it hears.
  if (event.persisted) {
    for (const one of document.querySelectorAll("[data-live]")) lost(one, true);
  }
  start();
});
start();

// Since when the page stands, and whether a form of it is on its way.
let came = performance.now();
let isLeaving = false;
addEventListener("pageshow", () => { came = performance.now(); isLeaving = false; });

// Questions before what cannot be taken back: on the form, or on the one button that needs it.
document.addEventListener("submit", (event) => {
  const words = event.submitter?.dataset.confirm ?? event.target.dataset.confirm;
  if (isLeaving || (words && !confirm(words))) return event.preventDefault();
  if (event.target.method !== "post") return;
  isLeaving = true;
  // An answer that is no page leaves this one as it is.
  setTimeout(() => { isLeaving = false; }, 10000);
});

// Keys: data-key="a" on a link, a button or a field, while nobody is writing.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (event.defaultPrevented) return;
  // A key pressed twice in a row is not meant for the page that has just come, nor is it asked twice.
  if (isLeaving || event.timeStamp - came < 700) return;
  if (event.target.closest?.("input, textarea, select, [contenteditable], dialog")) return;
  // A page that says what went wrong is read first: nothing is decided on it by a single key.
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

// The button whose key has led to a field, or that was pressed before the page said what was wrong: Ctrl+Enter in that
// field presses it.
const meant = new WeakMap();
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isLeaving) return;
  const button = meant.get(event.target) ?? event.target.form?.querySelector("[data-meant]");
  if (!button?.isConnected || button.disabled) return;
  event.preventDefault();
  button.form.requestSubmit(button);
});
