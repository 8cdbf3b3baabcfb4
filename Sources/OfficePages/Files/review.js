// The review desk: shows one photo of a task at a time. The strip, the arrow keys, the links of the
// verdict and the map choose it; the address names it.
let desk = null;
let cards = [];
let current = -1;

const idOf = (card) => card.id.replace(/^photo-/, "");

const choose = (index, isByPerson) => {
  if (index < 0 || index >= cards.length || index === current) return;
  current = index;
  cards.forEach((card, at) => card.classList.toggle("is-current", at === index));
  const id = idOf(cards[index]);
  desk.querySelectorAll(".desk-strip a[href^='#photo-']").forEach((link, at) => {
    if (at === index) {
      link.setAttribute("aria-current", "true");
      // The strip alone moves: the page stays where it is.
      const list = link.closest("ol");
      list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
    } else {
      link.removeAttribute("aria-current");
    }
  });
  // Lazy pictures that were never in view would otherwise begin to load only now.
  for (const near of [index, index + 1, index - 1]) {
    const picture = cards[near]?.querySelector("img");
    if (picture) picture.loading = "eager";
  }
  const compare = desk.querySelector("[data-compare]");
  if (compare) {
    const other = cards[index + 1] ?? cards[index - 1];
    compare.href = compare.dataset.compare + "?left=" + id + "&right=" + idOf(other);
  }
  if (isByPerson) history.replaceState(history.state, "", "#photo-" + id);
  document.dispatchEvent(new CustomEvent("photo", { detail: id }));
  if (viewer.open) fill();
};

const named = (hash) => cards.findIndex((card) => "#" + card.id === hash);

// MARK: the whole screen

let viewer = null;
let picture = null;
let zoom = 1;

const scale = (value, x = 0.5, y = 0.5) => {
  const stage = viewer.querySelector(".viewer-stage");
  zoom = Math.min(Math.max(value, 1), 8);
  picture.style.width = zoom * 100 + "%";
  picture.style.height = zoom * 100 + "%";
  stage.scrollLeft = (stage.scrollWidth - stage.clientWidth) * x;
  stage.scrollTop = (stage.scrollHeight - stage.clientHeight) * y;
};

const fill = () => {
  const shown = cards[current].querySelector("img");
  picture.src = shown.closest("a").href;
  picture.alt = shown.alt;
  scale(1);
};

const openViewer = () => {
  fill();
  viewer.showModal();
};

// MARK: the beginning

// Makes the desk work that the page holds; without a photo there is none.
const begin = () => {
  desk = document.querySelector("[data-desk]");
  cards = desk ? [...desk.querySelectorAll(".photo-card")] : [];
  current = -1;
  viewer = desk?.querySelector(".viewer") ?? null;
  picture = viewer?.querySelector("img") ?? null;
  if (cards.length === 0) return;
  desk.classList.add("is-live");
  for (const hidden of desk.querySelectorAll("[data-view], [data-keys]")) hidden.hidden = false;
  choose(Math.max(named(location.hash), 0), false);

  desk.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#photo-']");
    const index = link ? named(link.hash) : -1;
    if (index < 0) return;
    event.preventDefault();
    choose(index, true);
  });

  for (const card of cards) {
    card.querySelector("a:has(> img)").addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      openViewer();
    });
  }
  // A button that needs a reason leads to it; what is written there is sent by it, or by Ctrl+Enter.
  desk.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-key-field]");
    const field = button?.form?.elements[button.dataset.keyField];
    if (!field || field.value.trim() !== "" || button.form.elements.listed?.value) return;
    // A marked item has its reason beside it.
    const isMarked = [...button.form.elements].some((one) => one.name === "return" && one.checked);
    if (isMarked && button.value === "returnToInspector") return;
    event.preventDefault();
    for (const other of button.form.querySelectorAll("[data-meant]")) delete other.dataset.meant;
    button.dataset.meant = "";
    field.focus();
  });
  // A reason from the agency's list fills the field, where it can be changed. The arrow keys walk
  // through the list as long as the field holds nothing else.
  for (const list of desk.querySelectorAll("select[data-fills]")) {
    const field = list.form.elements[list.dataset.fills];
    const reasons = [...list.options].map((option) => option.value);
    const take = (index) => {
      list.selectedIndex = index;
      field.value = reasons[index];
    };
    list.addEventListener("change", () => {
      take(list.selectedIndex);
      field.focus();
    });
    field.addEventListener("input", () => { list.selectedIndex = 0; });
    field.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const at = reasons.indexOf(field.value.trim());
      if (!step || at < 0) return;
      event.preventDefault();
      take((at + step + reasons.length) % reasons.length);
    });
  }
  desk.querySelector("[data-view]").addEventListener("click", openViewer);
  desk.querySelector("[data-keys]").addEventListener("click", () => desk.querySelector(".desk-keys").showModal());
  for (const button of viewer.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => scale(button.dataset.zoom === "in" ? zoom * 2 : zoom / 2));
  }
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    scale(zoom > 1 ? 1 : 3, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  });
  viewer.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = picture.getBoundingClientRect();
    scale(event.deltaY < 0 ? zoom * 1.25 : zoom / 1.25,
      (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }, { passive: false });
};

document.addEventListener("keydown", (event) => {
  if (cards.length === 0) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
  if (event.target.closest?.("input, textarea, select, [contenteditable], .desk-map")) return;
  if (document.querySelector("dialog[open]:not(.viewer)")) return;
  if (viewer.open && ["+", "-", "=", "f"].includes(event.key)) {
    event.preventDefault();
    if (event.key === "f") viewer.close();
    else scale(event.key === "-" ? zoom / 2 : zoom * 2);
    return;
  }
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || (viewer.open && zoom > 1)) return;
  event.preventDefault();
  choose(current + step, true);
});

// The first picture of the next task is in the browser, decoded, when the officer gets there.
const ahead = new Image();
const fetchAhead = () => {
  const source = desk?.querySelector("[data-ahead]")?.dataset.ahead;
  if (!source) return;
  ahead.src = source;
  // The desk itself says if a picture cannot be shown.
  ahead.decode().catch(() => {});
};

addEventListener("hashchange", () => choose(named(location.hash), false));
document.addEventListener("photo-chosen", (event) => choose(named("#photo-" + event.detail), true));
begin();
if (document.readyState === "complete") fetchAhead();
else addEventListener("load", fetchAhead);

// MARK: the next task

// The address whose page is shown, without the photo.
let address = location.pathname + location.search;
const filesOf = (page) => [...page.head.querySelectorAll("script[src], link[rel=stylesheet]")]
  .map((one) => one.src || one.href).join();

// Sends a form as the browser does it without this script.
const sendPlainly = (form, button) => {
  const chosen = document.createElement("input");
  Object.assign(chosen, { type: "hidden", name: button?.name ?? "", value: button?.value ?? "" });
  form.append(chosen);
  form.submit();
};

// Puts the contents of a fetched page in the place of this one's.
const show = (page) => {
  document.title = page.title;
  const main = document.adoptNode(page.getElementById("main"));
  document.getElementById("main").replaceWith(main);
  scrollTo(0, 0);
  // The other scripts begin anew: the map is there before the desk tells it the photo.
  document.dispatchEvent(new CustomEvent("page"));
  begin();
  const first = main.querySelector("[autofocus]");
  if (first) first.focus();
  else main.focus({ preventScroll: true });
};

// The answer to a decision is mostly the next task. Its page is put in the place of this one, since
// to load the scripts and styles anew takes longer than all the rest.
const decide = async (form, button) => {
  desk.setAttribute("aria-busy", "true");
  let answer, words;
  try {
    const body = new URLSearchParams(new FormData(form, button));
    // A button is named "action", too: the form's own attribute is meant.
    answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { Accept: "text/html" } });
    words = await answer.text();
  } catch {
    // The browser says what is wrong. If the office has the decision already, it takes no second one.
    return sendPlainly(form, button);
  }
  const page = new DOMParser().parseFromString(words, "text/html");
  const isDesk = page.querySelector("[data-desk]") !== null && filesOf(page) === filesOf(document);
  if (answer.redirected && !isDesk) return location.assign(answer.url);
  if (!page.getElementById("main")) return sendPlainly(form, button);
  if (answer.redirected) history.pushState(null, "", answer.url);
  address = location.pathname + location.search;
  show(page);
  fetchAhead();
};

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || cards.length === 0 || form.method !== "post") return;
  if (!form.closest("#main") || form.enctype === "multipart/form-data") return;
  event.preventDefault();
  decide(form, event.submitter);
});
// Back leads to a page that was shown in this place: it is fetched again.
addEventListener("popstate", () => {
  if (location.pathname + location.search !== address) location.reload();
});
