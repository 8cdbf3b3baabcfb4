// Pulling at the top of the page asks the office, as the button does.
const pull = document.querySelector("form[data-pull]");
if (pull) {
  const enough = 96;
  let start = null;
  let far = 0;
  const end = () => {
    start = null;
    far = 0;
    pull.classList.remove("is-pulled");
  };
  addEventListener("touchstart", (event) => {
    if (scrollY > 0 || event.touches.length !== 1) return end();
    start = event.touches[0].clientY;
    far = 0;
  }, { passive: true });
  addEventListener("touchmove", (event) => {
    if (start === null) return;
    if (scrollY > 0 || event.touches.length !== 1) return end();
    far = event.touches[0].clientY - start;
    pull.classList.toggle("is-pulled", far > enough);
  }, { passive: true });
  addEventListener("touchend", () => {
    const isAsked = start !== null && far > enough;
    end();
    if (isAsked) pull.requestSubmit();
  });
  addEventListener("touchcancel", end);
}

// A swipe over a picture leads to the neighbouring one, unless the picture is magnified.
const swiped = document.querySelector("[data-swipe]");
if (swiped) {
  let start = null;
  swiped.addEventListener("touchstart", (event) => {
    const isMagnified = (window.visualViewport?.scale ?? 1) > 1.01;
    start = event.touches.length === 1 && !isMagnified ? event.touches[0] : null;
    if (start) start = { x: start.clientX, y: start.clientY };
  }, { passive: true });
  swiped.addEventListener("touchend", (event) => {
    if (!start || event.changedTouches.length !== 1) return;
    const x = event.changedTouches[0].clientX - start.x;
    const y = event.changedTouches[0].clientY - start.y;
    start = null;
    if (Math.abs(x) < 64 || Math.abs(y) > Math.abs(x) / 2) return;
    document.querySelector(x < 0 ? "a[rel=next]" : "a[rel=prev]")?.click();
  });
}

// An inspector who folds the numbers away sees the next picture without them, too.
const overlay = document.getElementById("overlay");
if (overlay) {
  const key = "standpoint-overlay";
  const kept = () => { try { return localStorage.getItem(key); } catch { return null; } };
  if (kept() === "closed") overlay.open = false;
  overlay.addEventListener("toggle", () => {
    try { localStorage.setItem(key, overlay.open ? "open" : "closed"); } catch { /* The choice is not kept. */ }
  });
}
