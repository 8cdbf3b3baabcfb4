// The code and the fingerprint stand behind the sign # of the address: the browser keeps them to itself,
// and nobody in the network reads them. This page hands the code on to the page over TLS.

const [code, fingerprint] = location.hash.slice(1).split(".");
const isCode = /^[0-9A-Z]{26}$/.test(code);
const isFingerprint = /^[0-9a-f]{64}$/.test(fingerprint ?? "");
for (const link of document.querySelectorAll("a[data-secure]")) {
  link.href = link.dataset.secure + (isCode ? `#${code}` : "");
}
if (isFingerprint) {
  const shown = fingerprint.toUpperCase().match(/../g).join(":");
  for (const place of document.querySelectorAll("[data-fingerprint]")) place.textContent = shown;
}
// The window that a phone opens by itself for a new Wi-Fi has no camera and forgets all that it is told.
const isPortal = /CaptiveNetworkSupport|; wv\)/.test(navigator.userAgent);
document.querySelector("[data-portal]").hidden = !isPortal;
// The steps of the other system are one tap away.
const system = /iPhone|iPad|Macintosh/.test(navigator.userAgent) ? "ios" : "android";
document.querySelector(`details[data-system="${system}"]`).open = true;
