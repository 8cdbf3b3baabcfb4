import { wrapped } from "/assets/camera-pose.js";

const screenAngle = () => {
  const angle = globalThis.screen?.orientation?.angle ?? globalThis.orientation ?? 0;
  return Math.round(wrapped(angle) / 90) * 90 % 360;
};

// A device that lies still sends nothing: after so many milliseconds the sensors are asked anew, which
// every living one answers. Those that do not answer in time have stopped, and what they said last is no
// pose any more.
const silentAfter = 5000;
const answerWithin = 3000;

/// Follows the motion sensors. `latest()` returns their last values; null before the first, and after
/// they have stopped.
export const followSensors = (changed) => {
  let latest = null;
  let hasAbsolute = false;
  let heard = 0;
  let asked = 0;
  const take = (event) => {
    if (event.beta === null || event.gamma === null) return;
    const compass = event.webkitCompassHeading;
    const isAbsolute = event.absolute && event.alpha !== null;
    // An angle from a random starting direction is no direction; once there is an absolute one,
    // only that counts.
    if (hasAbsolute && !isAbsolute) return;
    hasAbsolute = isAbsolute;
    heard = performance.now();
    latest = {
      alpha: isAbsolute ? event.alpha : Number.isFinite(compass) ? wrapped(360 - compass) : null,
      beta: event.beta, gamma: event.gamma,
      accuracy: event.webkitCompassAccuracy > 0 ? event.webkitCompassAccuracy : null,
    };
    changed();
  };
  const kinds = ["deviceorientationabsolute", "deviceorientation"];
  const listen = () => {
    for (const kind of kinds) {
      removeEventListener(kind, take);
      addEventListener(kind, take);
    }
    // A sensor that is not awake yet sends one empty event, and the browser asks it no more.
    if (!latest) setTimeout(listen, 2000);
  };
  setInterval(() => {
    const now = performance.now();
    // A hidden page gets no events, and its sensors have not stopped.
    if (document.hidden) heard = now;
    if (!latest || now - heard < silentAfter) {
      asked = 0;
    } else if (!asked) {
      asked = now;
      listen();
    } else if (now - asked > answerWithin) {
      [latest, hasAbsolute, asked] = [null, false, 0];
      listen();
      changed();
    }
  }, 500);
  const kind = globalThis.DeviceOrientationEvent;
  // Most browsers with a permission to ask for have granted it already.
  if (kind) listen();
  globalThis.screen?.orientation?.addEventListener?.("change", changed);
  return {
    canAsk: typeof kind?.requestPermission === "function",
    latest: () => latest && { ...latest, screen: screenAngle() },
    // Some browsers ask the person, and only after a tap.
    ask: async () => {
      const isGranted = await kind.requestPermission() === "granted";
      if (isGranted && !latest) listen();
      return isGranted;
    },
  };
};
