// Compares this page's clock with the field unit's, by round trips. The one that took the shortest time
// counts: half of it is the most by which the comparison can be wrong.

const soonMilliseconds = 250;
const laterMilliseconds = 4000;
// Cheap clocks drift apart by 50 millionths: 3 ms in a minute.
const keptMilliseconds = 60_000;
const tripsAtFirst = 6;
// A longer round trip compares nothing.
const tripMilliseconds = 3000;

/// The time of this page, in ms since 1970 by its own clock: it never jumps while the page is open.
export const now = () => performance.timeOrigin + performance.now();

// A device that slept has a clock that stood still meanwhile: the difference to its other clock tells.
const drift = () => Date.now() - now();
const driftAtMost = 30;

/// Follows the field unit's clock as long as the page is in view.
export const followClock = (address) => {
  let trips = [];
  let count = 0;
  const fresh = () => {
    const [present, apart] = [now(), drift()];
    trips = trips.filter((one) => present - one.heard < keptMilliseconds && Math.abs(one.apart - apart) < driftAtMost);
    return trips;
  };
  const ask = async () => {
    if (document.visibilityState !== "visible") return;
    count += 1;
    try {
      const asked = now();
      const answer = await fetch(address, {
        cache: "no-store", headers: { Accept: "application/json" }, signal: AbortSignal.timeout(tripMilliseconds),
      });
      const heard = now();
      if (!answer.ok) return;
      const { milliseconds } = await answer.json();
      if (Number.isFinite(milliseconds)) trips.push({ asked, told: milliseconds, heard, apart: drift() });
    } catch { /* Without an answer there is nothing to compare. */ }
  };
  const go = async () => {
    await ask();
    setTimeout(go, count < tripsAtFirst ? soonMilliseconds : laterMilliseconds);
  };
  go();
  return {
    /// The best round trip of the last minute; null if there is none.
    best: () => fresh().reduce(
      (best, one) => best && best.heard - best.asked <= one.heard - one.asked ? best : one, null),
  };
};
