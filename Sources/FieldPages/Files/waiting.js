const isKept = location.pathname === "/not-running";
let wasAway = false;
const look = async () => {
  let answers = false;
  try {
    answers = (await fetch("/manifest.webmanifest", { cache: "no-store" })).ok;
  } catch { /* The program does not answer yet. */ }
  // An inspector who opens this page while the program runs may read it.
  if (answers && isKept && !wasAway) return;
  if (answers) return location.replace(isKept ? "/" : location.href);
  wasAway = true;
  setTimeout(look, 3000);
};
look();
