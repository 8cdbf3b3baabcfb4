// The code and the fingerprint stand behind the sign # of the address: the browser keeps them to itself,
// and nobody in the network reads them. This page hands the code on to the page over TLS.

const [code, fingerprint] = location.hash.slice(1).split(".");
const isCode = /^[0-9A-Z]{26}$/.test(code);
const links = document.querySelectorAll("a[data-secure]");
const isFingerprint = /^[0-9a-f]{64}$/.test(fingerprint ?? "");
const lead = (link, address) => { link.href = address + (isCode ? `#${code}` : ""); };
for (const link of links) lead(link, link.dataset.secure);
if (isFingerprint) {
  const shown = fingerprint.toUpperCase().match(/../g).join(":");
  for (const place of document.querySelectorAll("[data-fingerprint]")) place.textContent = shown;
}
// The window that a phone opens by itself for a new Wi-Fi has no camera and forgets all that it is told. On
// iOS it is a browser that does not call itself Safari, on Android a view inside another program.
const agent = navigator.userAgent;
const isPortal = /CaptiveNetworkSupport|; wv\)/.test(agent)
  || (/iPhone|iPad/.test(agent) && !/Safari\//.test(agent));
document.querySelector("[data-portal]").hidden = !isPortal;
document.querySelector("[data-address]").textContent = location.href;
// The steps of the other system are one tap away.
const system = /iPhone|iPad|Macintosh/.test(navigator.userAgent) ? "ios" : "android";
document.querySelector(`details[data-system="${system}"]`).open = true;
// A session belongs to the name in the address. By the device's name it holds in each network where the name
// leads to this device. Another device may take the name: so only a phone that trusts the certificate, and
// notices the other one, goes on by it. Asking over TLS shows both.
const ask = () => {
  for (const link of links) {
    fetch(link.dataset.ask, { cache: "no-store", signal: AbortSignal.timeout?.(3000) })
      .then((answer) => answer.json())
      .then((device) => { if (device.fingerprint === fingerprint) lead(link, link.dataset.named); })
      .catch(() => {})
      .finally(() => { link.dataset.answered = ""; });
  }
};
if (isFingerprint) {
  ask();
  // The phone comes back from its settings, where it has learned to trust the certificate.
  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
}
