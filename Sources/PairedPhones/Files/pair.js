// Takes the code out of the address, so that it stays in no history, and proposes a name for the phone.

const form = document.querySelector("#pair");
const code = location.hash.slice(1);
if (code) {
  form.elements.code.value = code;
  history.replaceState(null, "", location.pathname);
}
const name = form.elements.name;
if (!name.value) {
  const kind = [[/Android/, "android"], [/iPhone|iPad/, "ios"]]
    .find(([sign]) => sign.test(navigator.userAgent))?.[1] ?? "other";
  name.value = name.dataset[kind];
}
