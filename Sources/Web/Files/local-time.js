// Moments on a page: <time datetime="…"> reads UTC without a script. Here it gets the browser's own
// zone, and its title keeps UTC.
const makeLocal = (root) => {
  for (const element of root.querySelectorAll("time[datetime]:not([title])")) {
    const { only } = element.dataset;
    element.title = only ? element.dateTime.slice(0, 19).replace("T", " ") + " UTC" : element.textContent;
    element.textContent = localMoment(element.dateTime, only);
  }
  const note = document.querySelector("[data-zone]");
  if (!note || !document.querySelector("time[datetime]")) return;
  note.textContent = note.dataset.zone.replace("{1}", localForms.zone);
  note.hidden = false;
};

makeLocal(document);
document.addEventListener("live", (event) => makeLocal(event.target));
document.addEventListener("page", () => makeLocal(document));
