import Office

extension MapScript {
  /// The register's parcels on the map. The office says which lie in a view, or that they are too many to be
  /// told apart; the script draws them below everything else, since a task or a photo is what somebody came
  /// for. On the page of a new task the parcel that is pressed goes into the form.
  static let parcels = #"""
      const register = (map, element, words, L) => {
        const source = new URL(element.dataset.parcels, location.href);
        const field = element.dataset.pick ? document.getElementsByName(element.dataset.pick)[0] : null;
        const layer = L.layerGroup();
        const drawn = new Map();
        map.createPane("parcels").style.zIndex = "350";

        const say = noteOn(map, L, "bottomleft");

        const paint = (identifier) => {
          const isChosen = field !== null && field.value.trim() === identifier;
          const { shape, isRough } = drawn.get(identifier);
          shape.setStyle({
            color: color(isChosen ? "--accent" : "--soft", element), weight: isChosen ? 4 : 1.5,
            dashArray: isRough ? "2 4" : null, fillOpacity: isChosen ? 0.3 : 0.05,
          });
          if (isChosen) shape.bringToFront();
        };

        const choose = (identifier) => {
          field.value = identifier;
          for (const one of drawn.keys()) paint(one);
          say(words.chosen + " " + identifier);
        };

        const card = (parcel) => {
          const box = make("div");
          box.append(make("p"));
          box.lastChild.append(make("strong", parcel.identifier));
          for (const line of [parcel.name, parcel.crop]) if (line) box.append(make("p", line));
          const link = (words_, href) => {
            box.append(make("p"));
            box.lastChild.append(make("a", words_, { href }));
          };
          const name = "?parcel=" + encodeURIComponent(parcel.identifier);
          link(words.parcelTasks, "/tasks" + name);
          if (element.dataset.orders === "yes") link(words.parcelOrder, "/tasks/new" + name);
          return box;
        };

        const add = (parcel) => {
          // Its last corner is its first once more.
          const rings = parcel.coordinates.map((part) => part.map((ring) => ring.slice(0, -1).map(([x, y]) => [y, x])));
          const shape = L.polygon(rings, { pane: "parcels" });
          const title = [parcel.identifier, parcel.name, parcel.crop].filter(Boolean).join(", ");
          shape.bindTooltip(make("span", title), { sticky: true });
          shape.on("click", (event) => {
            L.DomEvent.stopPropagation(event);
            if (field) choose(parcel.identifier);
            // Of its own, and not the shape's: a view that is drawn anew would take it away.
            else L.popup().setLatLng(event.latlng).setContent(card(parcel)).openOn(map);
          });
          drawn.set(parcel.identifier, { shape, isRough: parcel.isRough });
          shape.addTo(layer);
          paint(parcel.identifier);
          return shape;
        };

        const draw = (view) => {
          layer.clearLayers();
          drawn.clear();
          for (const parcel of view.parcels) add(parcel);
          say(view.isTooWide ? words.tooWide : "");
        };

        let asking = null;
        const fetched = async (name, value) => {
          asking?.abort();
          const mine = asking = new AbortController();
          const url = new URL(source);
          url.searchParams.set(name, value);
          try {
            const answer = await fetch(url, { signal: mine.signal, headers: { Accept: "application/json" } });
            if (!answer.ok) throw new Error(String(answer.status));
            const view = await answer.json();
            return mine === asking ? view : null;
          } catch (error) {
            if (error.name !== "AbortError") say(words.lost);
            return null;
          }
        };
        const ask = async () => {
          if (element.dataset.ready !== "yes") return;
          if (!map.hasLayer(layer)) return say("");
          const box = sidesOf(map.getBounds()).map((side) => side.toFixed(6)).join(",");
          const view = await fetched("box", box);
          if (view) draw(view);
        };
        map.on("moveend", ask);
        layer.on("add", ask);
        layer.on("remove", () => say(""));

        // Whoever writes an identifier sees where that parcel is, or that there is none.
        field?.addEventListener("change", async () => {
          const identifier = field.value.trim();
          for (const one of drawn.keys()) paint(one);
          if (identifier === "") return say("");
          const view = await fetched("identifier", identifier);
          if (!view) return;
          if (view.parcels.length === 0) return say(words.noParcel);
          const corners = view.parcels[0].coordinates.flat(2).map(([x, y]) => [y, x]);
          map.fitBounds(corners, { padding: [60, 60], maxZoom: 17 });
          ask();
        });
        if (element.dataset.showsParcels === "yes") layer.addTo(map);
        return { layer, ask };
      };

    """#
}
