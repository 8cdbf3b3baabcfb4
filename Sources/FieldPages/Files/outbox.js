// The words above the list say how many bytes of each file the office has; each row shows its own.
const show = () => {
  const sent = new Map();
  for (const one of document.querySelectorAll("[data-sending]")) {
    sent.set(one.dataset.sending, Number(one.dataset.bytes));
  }
  for (const row of document.querySelectorAll("[data-entry]")) {
    const bytes = sent.get(row.dataset.entry);
    const words = row.querySelector("[data-percent]");
    const bar = row.querySelector("progress");
    const isSending = bytes !== undefined;
    words.hidden = !isSending;
    bar.hidden = !isSending;
    if (!isSending) continue;
    const size = Number(row.dataset.size);
    const percent = size > 0 ? Math.min(100, Math.max(0, Math.floor(bytes * 100 / size))) : 100;
    words.textContent = `${percent} %`;
    bar.value = percent;
  }
};
document.addEventListener("live", show);
show();
