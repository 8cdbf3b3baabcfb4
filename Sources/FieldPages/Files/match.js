// The longer side of the picture that is compared, pixels, and its JPEG quality: small enough to be
// sent each second, and as exact as the comparison is.
const side = 800;
const quality = .7;
const everyMilliseconds = 1000;

/// Has the field unit compare the live picture with the chosen earlier photo, once a second: never
/// two comparisons at once, none while the page is hidden or a photo is being taken.
export const followMatch = (root, video, repeat, redraw) => {
  const canvas = document.createElement("canvas");
  let isAsking = false;
  // A field unit that cannot compare pictures is not asked again.
  let isOver = false;

  const frame = () => new Promise((done) => {
    const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(done, "image/jpeg", quality);
  });

  const ask = async () => {
    const one = repeat.earlier();
    const isFree = root.classList.contains("is-full") && !root.querySelector("[data-camera-review], .camera-shutter.is-going")
      && document.visibilityState === "visible" && video.videoWidth > 0;
    if (!one?.src || isAsking || isOver || !isFree) return;
    isAsking = true;
    try {
      const [sensed, time] = [repeat.sensed(), performance.now()];
      const shape = one.height / one.width;
      const answer = await fetch(`/camera/match?${one.kind}=${one.id}`, {
        method: "POST", body: await frame(),
        headers: {
          Accept: "application/json", "Content-Type": "image/jpeg",
          "X-Form-Token": root.dataset.token,
        },
      });
      const said = answer.ok ? await answer.json() : {};
      if (said.state === "unavailable") isOver = true;
      if (repeat.earlier()?.id === one.id) repeat.takeMatch(said.rows ?? null, shape, sensed, time);
    } catch { /* Without an answer the sensors guide alone. */
      repeat.takeMatch(null);
    } finally {
      isAsking = false;
      redraw();
    }
  };
  setInterval(ask, everyMilliseconds);
};
