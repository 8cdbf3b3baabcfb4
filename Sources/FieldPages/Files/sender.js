import { now } from "/assets/camera-clock.js";

// Sends a picture: first the word that it is made, with its digest, and then its bytes. A lost connection
// costs only the bytes that were under way.

const answerMilliseconds = 4000;
const stallMilliseconds = 3000;
const patienceMilliseconds = 60_000;
const pauseMilliseconds = 400;

const pause = () => new Promise((done) => setTimeout(done, pauseMilliseconds));
const hexadecimal = (bytes) => Array.from(new Uint8Array(bytes), (one) => one.toString(16).padStart(2, "0")).join("");
// JSON for a header field, which takes letters of ASCII only.
const headerJSON = (value) => JSON.stringify(value).replace(
  /[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/// Sends a picture. Returns null if all of it is there; `{ words }` if the field unit refused it; and `{}` if
/// nothing answers any more.
export const sendPicture = async (number, blob, told, token) => {
  const query = `number=${encodeURIComponent(number)}`;
  const digest = hexadecimal(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
  const common = { Accept: "application/json", "X-Form-Token": token };

  // Asks with little patience. Returns null without an answer.
  const ask = async (address, options) => {
    try {
      const answer = await fetch(address, {
        cache: "no-store", ...options, signal: AbortSignal.timeout(answerMilliseconds),
      });
      return { isGood: answer.ok, ...await answer.json() };
    } catch {
      return null;
    }
  };
  const announce = () => ask(`/camera/frame/made?${query}`, {
    method: "POST",
    headers: { ...common, "X-Camera-Words": headerJSON({ ...told, bytes: blob.size, digest }) },
  });
  const look = () => ask(`/camera/frame/bytes?${query}`, { headers: common });

  // Sends the bytes from `have` on. A connection on which nothing arrives any more is given up.
  const send = (have) => new Promise((done) => {
    const request = new XMLHttpRequest();
    let [arrived, watch] = [have, 0];
    const guard = () => {
      watch = setTimeout(async () => {
        const there = await look();
        if (request.readyState === XMLHttpRequest.DONE) return;
        if (!(there?.have > arrived)) return request.abort();
        arrived = there.have;
        guard();
      }, stallMilliseconds);
    };
    request.open("POST", `/camera/frame/bytes?${query}&at=${have}`);
    for (const [name, value] of Object.entries(common)) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.onloadend = () => {
      clearTimeout(watch);
      if (request.status === 0) return done(null);
      let said = {};
      try { said = JSON.parse(request.responseText); } catch { /* A proxy's own page. */ }
      done({ isGood: request.status < 300, ...said });
    };
    guard();
    request.send(blob.slice(have));
  });

  let [have, heard] = [null, now()];
  while (now() - heard < patienceMilliseconds) {
    const answer = have === null ? await announce() : await send(have);
    if (answer?.isGood) {
      [have, heard] = [answer.have, now()];
      if (have >= blob.size) return null;
      continue;
    }
    if (answer && have === null) return { words: answer.words };
    // The field unit knows how much is there, and whether it still waits.
    const there = have === null ? null : await look();
    if (there && !there.isGood) return answer ? { words: answer.words } : null;
    if (there) {
      if (there.have > have) heard = now();
      have = there.have;
    }
    await pause();
  }
  return {};
};
