import FieldUnit
import Web

/// Registers the service worker, on every page of the field unit. Where there is none to be had, such as
/// over plain HTTP from another device, the pages work all the same.
enum AppScript {
  static let asset = Asset(
    path: "/assets/app.js", mediaType: "text/javascript; charset=utf-8",
    text: #"""
      if ("serviceWorker" in navigator) {
        navigator.serviceWorker.register("/service-worker.js").then(async () => {
          // The page that it keeps is in a language: another one is fetched when another is chosen.
          const language = document.documentElement.lang;
          if (sessionStorage.getItem("kept-language") === language) return;
          const ready = await navigator.serviceWorker.ready;
          ready.active?.postMessage("keep");
          sessionStorage.setItem("kept-language", language);
        }).catch(() => undefined);
      }
      """#)
}

/// Looks whether the program answers again, on the page that says that it does not.
enum WaitingScript {
  static let asset = Asset(
    path: "/assets/waiting.js", mediaType: "text/javascript; charset=utf-8",
    text: #"""
      const isKept = location.pathname === "/not-running";
      let wasAway = false;
      const look = async () => {
        let answers = false;
        try {
          answers = (await fetch("/manifest.webmanifest", { cache: "no-store" })).ok;
        } catch { /* Not yet. */ }
        // Whoever opens this very page while all is well may read it.
        if (answers && isKept && !wasAway) return;
        if (answers) return location.replace(isKept ? "/" : location.href);
        wasAway = true;
        setTimeout(look, 3000);
      };
      look();
      """#)
}
