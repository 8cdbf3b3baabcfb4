// The way in which moments are written for people, in the browser's own zone. English pages write
// ISO 8601, as Swedish does; other languages write as their countries do.
const localForms = (() => {
  const language = document.documentElement.lang || "en";
  const tag = language.startsWith("en") ? "sv" : language;
  const day = { year: "numeric", month: "numeric", day: "numeric" };
  if (tag === "sv") day.month = day.day = "2-digit";
  const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
  const form = (options) => new Intl.DateTimeFormat(tag, options);
  return { day: form(day), clock: form({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    moment: form({ ...day, ...clock }), zone: form(day).resolvedOptions().timeZone };
})();

// Returns a moment, given in RFC 3339, to the second; or only its day or its clock.
const localMoment = (time, only = "moment") => {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return localForms[only].format(date).replace(",", "");
};
