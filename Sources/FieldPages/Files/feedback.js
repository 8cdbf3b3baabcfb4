// Tones and vibration for somebody who looks at the hedge and not at the screen: the gate is open, the
// countdown runs, the picture is taken, or it is lost.

const signs = {
  ready: { tones: [[880, .12]], buzz: [60] },
  count: { tones: [[660, .06]], buzz: [25] },
  shutter: { tones: [[1320, .08], [1760, .14]], buzz: [120] },
  lost: { tones: [[330, .2], [220, .3]], buzz: [200, 100, 200] },
};
const under = ["waiting", "countdown", "expose", "sending", "sealing"];

/// Begins to give signs; `isOn` tells whether tones are wanted.
export const beginFeedback = (isOn) => {
  let context = null;
  let before = null;
  // Browsers let a page sound only behind a tap or a key.
  const wake = () => {
    if (!globalThis.AudioContext) return;
    context ??= new AudioContext();
    context.resume().catch(() => {});
  };
  // The first touch of a finger counts when it ends.
  for (const event of ["pointerup", "touchend", "click", "keydown"]) addEventListener(event, wake, { capture: true });

  const sound = (tones) => {
    if (!isOn() || context?.state !== "running") return;
    let start = context.currentTime;
    for (const [pitch, seconds] of tones) {
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(.35, start);
      volume.gain.exponentialRampToValueAtTime(.001, start + seconds);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + seconds);
      start += seconds;
    }
  };
  const give = (name) => {
    document.documentElement.dataset.sign = name;
    sound(signs[name].tones);
    // A page without a tap yet may not vibrate: browsers then only complain.
    if (navigator.userActivation?.hasBeenActive ?? context) navigator.vibrate?.(signs[name].buzz);
  };

  return {
    /// Takes the present state, and gives the sign of what has changed.
    take: (state, isLost) => {
      const last = before;
      before = { stage: state.stage, left: state.secondsLeft, isReady: Boolean(state.isReady), isLost };
      if (!last) return;
      const went = under.includes(last.stage);
      if (isLost && !last.isLost) return give("lost");
      if (state.stage !== last.stage && state.stage === "expose") return give("shutter");
      if (went && ["refused", "idle"].includes(state.stage)) return give("lost");
      if (state.stage === "countdown" && state.secondsLeft !== last.left) return give("count");
      if (!last.isReady && before.isReady && !went) give("ready");
    },
  };
};
