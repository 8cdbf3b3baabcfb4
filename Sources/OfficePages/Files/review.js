// The review desk: shows one photo of a task at a time. The strip, the arrow keys, the links of the
// verdict and the map choose it; the address names it.
const desk = document.querySelector("[data-desk]");
const cards = desk ? [...desk.querySelectorAll(".photo-card")] : [];
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

const viewer = desk?.querySelector(".viewer");
const picture = viewer?.querySelector("img");
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

const begin = () => {
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
  addEventListener("hashchange", () => choose(named(location.hash), false));
  document.addEventListener("photo-chosen", (event) => choose(named("#photo-" + event.detail), true));

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

  document.addEventListener("keydown", (event) => {
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
};

// The first picture of the next task is in the browser when the officer gets there.
const fetchAhead = () => {
  const ahead = desk.querySelector("[data-ahead]")?.dataset.ahead;
  if (ahead) new Image().src = ahead;
};

if (desk && cards.length > 0) {
  begin();
  if (document.readyState === "complete") fetchAhead();
  else addEventListener("load", fetchAhead);
}
