if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/service-worker.js").then(async () => {
    // The kept page is in one language: it is fetched again after another one is chosen.
    const language = document.documentElement.lang;
    if (sessionStorage.getItem("kept-language") === language) return;
    const ready = await navigator.serviceWorker.ready;
    ready.active?.postMessage("keep");
    sessionStorage.setItem("kept-language", language);
  }).catch(() => undefined);
}
