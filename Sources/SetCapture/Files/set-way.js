// The base map below the way that was walked: which tiles lie where. Tiles are of the Web Mercator
// projection, whose north and south edges are as far apart as its west and east edges.
const earthMetres = 2 * Math.PI * 6378137;

/// Returns the tiles that fill a square around a place, with their places in it.
/// - origin: latitude and longitude of the place from which metres are counted.
/// - middle: the middle of the square, metres east and north of the origin.
/// - across: the width of the square, metres.
/// - layer: a base map with its address, `url`, and its zooms, `least` and `most`.
/// Each tile has its address, its left upper corner in metres east and south of the middle, and its
/// side in metres. None if the map has no zoom that is small enough.
export const tilesBelow = (origin, middle, across, layer) => {
  const [latitude, longitude] = origin.map(Number);
  const radians = latitude * Math.PI / 180;
  // A parallel is shorter than the equator, and so is the side of a tile there.
  const around = earthMetres * Math.cos(radians);
  const [least, most] = [Number(layer.least), Number(layer.most)];
  const wanted = Math.floor(Math.log2(around / across)) + 1;
  const zoom = Math.min(Math.max(wanted, least), most);
  const side = around / 2 ** zoom;
  // Three tiles a side are enough for a tile of half the square; more would be a map of other zooms.
  if (![latitude, longitude, side, across].every(Number.isFinite) || across / side > 4) return [];
  const count = 2 ** zoom;
  const x = (longitude + 180) / 360 * count + middle[0] / side;
  const y = (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2 * count - middle[1] / side;
  const reach = across / side / 2;
  const tiles = [];
  for (let row = Math.floor(y - reach); row <= Math.floor(y + reach); row += 1) {
    if (row < 0 || row >= count) continue;
    for (let column = Math.floor(x - reach); column <= Math.floor(x + reach); column += 1) {
      // East of the last column is the first one.
      const name = { z: zoom, x: ((column % count) + count) % count, y: row };
      tiles.push({
        url: layer.url.replace(/\{([zxy])\}/g, (_, key) => name[key]),
        left: (column - x) * side, top: (row - y) * side, side,
      });
    }
  }
  return tiles;
};

/// Returns the base map that was chosen last on any map, or the first one; undefined without one, and if
/// nobody wants to see one.
export const chosenLayer = (layers) => {
  let kept = null;
  try { kept = localStorage.getItem("standpoint-base-map"); } catch { /* The first one, then. */ }
  return kept === "none" ? undefined : layers.find((layer) => layer.url === kept) ?? layers[0];
};

/// Draws tiles into a group of a drawing. A tile that is there already is only moved.
export const drawTiles = (group, tiles, scale) => {
  const known = new Map([...group.children].map((image) => [image.getAttribute("href"), image]));
  for (const { url, left, top, side } of tiles) {
    const image = known.get(url) ?? document.createElementNS("http://www.w3.org/2000/svg", "image");
    if (!known.delete(url)) {
      image.addEventListener("error", () => { image.style.display = "none"; });
      image.setAttribute("href", url);
      image.setAttribute("preserveAspectRatio", "none");
      group.append(image);
    }
    const place = { x: left, y: top, width: side, height: side };
    for (const [name, metres] of Object.entries(place)) image.setAttribute(name, (metres * scale).toFixed(2));
  }
  for (const image of known.values()) image.remove();
};
