// Two photos over each other or side by side, both zoomed and moved together.

const pair = document.querySelector("[data-pair]");

const begin = () => {
  const tools = pair.querySelector("[data-pair-tools]");
  const share = pair.querySelector("[data-pair-share]");
  const zoom = pair.querySelector("[data-pair-zoom]");
  const frames = [...pair.querySelectorAll(".pair-frame")];
  const pictures = frames.map((frame) => frame.querySelector("img"));
  tools.hidden = false;

  const show = (mode) => {
    pair.dataset.shown = mode;
    share.hidden = mode === "side";
    for (const button of tools.querySelectorAll("[data-mode]")) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    }
  };
  tools.addEventListener("click", (event) => {
    const button = event.target.closest("[data-mode]");
    if (button) show(button.dataset.mode);
  });
  share.querySelector("input").addEventListener("input", (event) => {
    pair.style.setProperty("--share", `${event.target.value}%`);
  });

  // Zooms round the middle of what is in view.
  const scale = (value) => {
    for (const [index, frame] of frames.entries()) {
      const x = (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth;
      const y = (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight;
      const picture = pictures[index];
      // The preview is small: the photo itself comes with the first zoom.
      if (value > 1 && picture.getAttribute("src") !== picture.dataset.whole) {
        picture.src = picture.dataset.whole;
      }
      picture.style.width = picture.style.height = `${value * 100}%`;
      frame.scrollLeft = x * frame.scrollWidth - frame.clientWidth / 2;
      frame.scrollTop = y * frame.scrollHeight - frame.clientHeight / 2;
    }
  };
  zoom.addEventListener("input", () => scale(Number(zoom.value)));

  for (const frame of frames) {
    frame.addEventListener("scroll", () => {
      for (const other of frames) {
        if (Math.abs(other.scrollLeft - frame.scrollLeft) > 1) other.scrollLeft = frame.scrollLeft;
        if (Math.abs(other.scrollTop - frame.scrollTop) > 1) other.scrollTop = frame.scrollTop;
      }
    }, { passive: true });
  }
};

if (pair) begin();
