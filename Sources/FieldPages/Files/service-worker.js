const STORE = `standpoint ${KEPT.join(" ")}`;
const PAGE = KEPT[0];

const keep = async () => {
  const store = await caches.open(STORE);
  // Bypasses the browser's own cache, to get the page in the language that was chosen last.
  await Promise.all(KEPT.map(async (address) => {
    const answer = await fetch(address, { cache: "no-cache" });
    if (answer.ok) await store.put(address, answer);
  }));
};

addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== STORE) await caches.delete(name);
    await clients.claim();
  })());
});

addEventListener("message", (event) => {
  if (event.data === "keep") event.waitUntil(keep().catch(() => undefined));
});

addEventListener("fetch", (event) => {
  const asked = event.request;
  const address = new URL(asked.url);
  if (address.origin !== location.origin) return;
  const kept = address.pathname + address.search;
  if (asked.mode === "navigate") {
    event.respondWith(fetch(asked).catch(async () => {
      // Showing the page at the address of a form would invite to send the form once more.
      if (asked.method !== "GET") return Response.redirect(PAGE, 303);
      const store = await caches.open(STORE);
      const page = await store.match(PAGE);
      return page ?? Response.error();
    }));
  } else if (asked.method === "GET" && kept !== PAGE && KEPT.includes(kept)) {
    event.respondWith(fetch(asked).catch(async () => {
      const store = await caches.open(STORE);
      return await store.match(kept) ?? Response.error();
    }));
  }
});
