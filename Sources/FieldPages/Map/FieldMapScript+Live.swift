import FieldUnit

extension FieldMapScript {
  /// What moves on the map: the inspector, the way to a parcel, the track that is recorded.
  static let live = #"""
    const liveOn = (element, { L, map }, words, things) => {
      const layer = L.layerGroup().addTo(map);
      map.createPane("me").style.zIndex = "640";
      let me = null;
      let ring = null;
      let way = null;
      let isFollowing = element.dataset.follows === "yes";
      let isReading = false;
      let hasPlace = false;
      map.on("popupopen", () => { isReading = true; });
      map.on("popupclose", () => { isReading = false; });

      const ages = (isOld) => {
        if (!me) return;
        me.getElement()?.classList.toggle("is-old", isOld);
        const title = isOld ? words.old : words.you;
        me.getElement()?.setAttribute("title", title);
        me.getElement()?.setAttribute("aria-label", title);
        ring?.setStyle({ dashArray: isOld ? "2 6" : null, fillOpacity: isOld ? 0 : .12 });
        if (isOld) { way?.remove(); way = null; }
      };

      const position = (place) => {
        if (!place) return ages(true);
        const at = flip(place.at);
        if (!me) {
          me = L.marker(at, { pane: "me", title: words.you, alt: words.you, keyboard: false, interactive: false,
            icon: L.divIcon({ className: "map-me", html: make("span"), iconSize: [48, 48] }) }).addTo(layer);
        }
        me.setLatLng(at);
        me.getElement()?.setAttribute("role", "img");
        const sign = me.getElement();
        sign?.classList.toggle("has-course", place.courseDegreesTrue !== undefined);
        if (sign?.firstChild) sign.firstChild.style.rotate = (place.courseDegreesTrue ?? 0) + "deg";
        if (place.uncertaintyMetres95 === undefined) {
          ring?.remove();
          ring = null;
        } else {
          ring ??= L.circle(at, { interactive: false, weight: 2, color: things.color("--ink") }).addTo(layer);
          ring.setLatLng(at).setRadius(place.uncertaintyMetres95);
        }
        ages(place.isOld);
        if (place.isOld) return;
        if (!hasPlace) map.setView(at, 18, { animate: false });
        else if (isFollowing && !isReading) map.panTo(at, { animate: false });
        hasPlace = true;
      };

      const guide = (guidance, place) => {
        if (!guidance?.to || !place || place.isOld) {
          way?.remove();
          way = null;
          return;
        }
        way ??= L.polyline([], { interactive: false, weight: 4, dashArray: "12 8", color: things.color("--bad") }).addTo(layer);
        way.setLatLngs([flip(place.at), flip(guidance.to)]);
      };

      // The track that is recorded: what came before the page is fetched once, each further point comes by itself.
      let now = null;
      const path = L.polyline([], { weight: 5, color: things.color("--bad") }).addTo(things.groups.tracks);
      const pins = L.layerGroup();
      // From afar the points would be one blot, and thousands of them slow.
      const showPins = () => {
        if (map.getZoom() >= NEAR) things.groups.tracks.addLayer(pins);
        else things.groups.tracks.removeLayer(pins);
      };
      map.on("zoomend", showPins);
      showPins();
      const put = (point) => {
        now.points.push(point);
        path.addLatLng(flip(point.at));
        things.dot(now.track, point, now.points.length).addTo(pins);
      };
      const restart = (track, deletions) => {
        now = { track, deletions, points: [], isFetching: false };
        path.setLatLngs([]);
        pins.clearLayers();
      };
      const fetchAll = async () => {
        const mine = now;
        if (mine.isFetching) return;
        mine.isFetching = true;
        try {
          const answer = await fetch("/tracks/" + mine.track + "/points.json", { headers: { Accept: "application/json" } });
          if (!answer.ok) return;
          const view = await answer.json();
          if (mine !== now) return;
          restart(mine.track, view.deletions);
          for (const point of view.points) put(point);
        } catch {
          // The next event asks again.
        } finally {
          mine.isFetching = false;
        }
      };
      const record = (recording) => {
        if (!recording) {
          if (now) {
            now = null;
            path.setLatLngs([]);
            pins.clearLayers();
            things.load();
          }
          return;
        }
        if (now?.track !== recording.track) restart(recording.track, recording.deletions);
        const missing = recording.points - now.points.length;
        if (now.deletions !== recording.deletions || missing > 1 || missing < 0) fetchAll();
        else if (missing === 1 && !now.isFetching) put(recording.last);
      };

      const following = document.querySelector("[data-follow]");
      const setFollowing = (isOn) => {
        isFollowing = isOn;
        following?.setAttribute("aria-pressed", String(isOn));
        if (isOn && me && !me.getElement()?.classList.contains("is-old")) map.setView(me.getLatLng(), Math.max(map.getZoom(), 17));
      };
      following?.addEventListener("click", () => setFollowing(!isFollowing));
      map.on("dragstart", () => setFollowing(false));
      setFollowing(isFollowing);
      document.querySelector("[data-everything]")?.addEventListener("click", () => { setFollowing(false); things.everything(); });

      return {
        // What was asked for is shown first, and then the inspector only where they press "Follow me".
        stay: () => { hasPlace = true; },
        show: (event) => { position(event.position); guide(event.guidance, event.position); record(event.recording); },
        lost: () => ages(true),
      };
    };

    """#

  /// What stands below the map, and the stream that moves all of it.
  static let panel = #"""
    const LOST = 3500;

    const tones = () => {
      let context = null;
      // A browser makes no sound before somebody has touched the page.
      addEventListener("pointerdown", () => { context ??= new AudioContext(); context.resume(); }, { once: true });
      return (isCorner) => {
        if (context?.state !== "running") return;
        const tone = context.createOscillator();
        const loudness = context.createGain();
        tone.frequency.value = isCorner ? 1320 : 880;
        loudness.gain.setValueAtTime(.2, context.currentTime);
        loudness.gain.exponentialRampToValueAtTime(.001, context.currentTime + .12);
        tone.connect(loudness).connect(context.destination);
        tone.start();
        tone.stop(context.currentTime + .13);
      };
    };

    const panelOf = (element, words, live) => {
      const panel = document.querySelector("[data-map-panel]");
      const find = (name) => panel.querySelector("[data-" + name + "]");
      const here = find("here");
      const sound = element.dataset.tones === "yes" ? tones() : null;
      let counted = null;

      const line = (text, light) => {
        here.textContent = text;
        here.className = "map-here light light-" + light;
      };
      const put = (one, text) => {
        if (!one) return;
        if (one.textContent !== text) one.textContent = text;
        if (one.matches(".notice, .map-way")) one.hidden = text === "";
      };
      const show = (event) => {
        line(event.here.text, event.here.light);
        put(find("way"), event.guidance?.words ?? "");
        put(find("ended"), event.ended ?? "");
        const recording = event.recording;
        if (find("idle")) find("idle").hidden = recording !== undefined;
        if (find("recording")) find("recording").hidden = recording === undefined;
        if (recording) {
          for (const one of panel.querySelectorAll("[data-value]")) put(one, recording.words[one.dataset.value] ?? "");
          panel.querySelector("[data-control='pause']").hidden = recording.isPaused;
          panel.querySelector("[data-control='resume']").hidden = !recording.isPaused;
          if (counted?.track === recording.track && recording.points > counted.points) {
            sound?.(recording.last?.kind !== "recorded");
          }
        }
        counted = recording ?? null;
        live?.show(event);
      };

      let stream = null;
      let heard = performance.now();
      const follow = () => {
        stream?.close();
        stream = new EventSource(element.dataset.events);
        stream.onmessage = (message) => {
          heard = performance.now();
          show(JSON.parse(message.data));
        };
      };
      // What no longer comes is not shown as if it were now.
      setInterval(() => {
        if (performance.now() - heard < LOST) return;
        line(words.lost, "bad");
        put(find("way"), "");
        live?.lost();
        if (stream?.readyState === EventSource.CLOSED) { heard = performance.now(); follow(); }
      }, 1000);
      addEventListener("pagehide", () => stream?.close());
      addEventListener("pageshow", (event) => { if (event.persisted) follow(); });
      follow();

      // Buttons of the recording: the page stays where it is.
      for (const form of panel.querySelectorAll("form[data-control]")) {
        form.addEventListener("submit", async (event) => {
          event.preventDefault();
          event.stopPropagation();
          const button = form.querySelector("button");
          if (button.getAttribute("aria-busy") === "true") return;
          button.setAttribute("aria-busy", "true");
          put(find("failed"), "");
          try {
            const answer = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" },
              body: new URLSearchParams(new FormData(form)) });
            const body = await answer.json();
            if (!answer.ok) put(find("failed"), words.failed + ": " + (body.detail ?? answer.status));
            else if (body.track) location.assign("/map?track=" + encodeURIComponent(body.track) + "&done=recorded");
            else form.closest("details")?.removeAttribute("open");
          } catch {
            put(find("failed"), words.lost);
          } finally {
            button.removeAttribute("aria-busy");
          }
        });
      }
    };

    const begin = async (element) => {
      const words = JSON.parse(element.dataset.words);
      const ground = groundOf(element, words, { zoom: "bottomright", scale: "bottomleft" });
      if (!ground) return panelOf(element, words, null);
      const say = noteOn(ground.map, ground.L, "topleft");
      const drawGrid = grid(ground, element);
      // The map gives way to the buttons of a recording.
      new ResizeObserver(() => ground.map.invalidateSize({ animate: false })).observe(element);
      ground.map.setView([50, 15], 4);
      drawGrid();
      const things = thingsOn(element, ground, words, say);
      const live = liveOn(element, ground, words, things);
      document.querySelector("[data-map-tools]").hidden = false;
      await things.load();
      const focus = Object.entries(JSON.parse(element.dataset.focus)).map(([kind, id]) => kind + ":" + id);
      if (focus.some((name) => things.show(name))) live.stay();
      else if (things.everything() && element.dataset.follows !== "yes") live.stay();
      element.dataset.ready = "yes";
      panelOf(element, words, live);
    };

    """#
}
