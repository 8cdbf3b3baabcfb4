import Office
import Web

/// How the map looks, beside Leaflet's own sheet.
enum MapStyle {
  static let asset = Asset(
    path: "/assets/map.css", mediaType: "text/css; charset=utf-8",
    text: MapGround.style + """
      .live-map.tall { height: calc(100vh - 14rem); min-height: 420px; }
      .live-map .map-cluster.is-tasks { background: var(--surface); color: var(--ink); border-color: var(--accent); }
      .live-map .leaflet-popup-content img { display: block; width: 100%; max-height: 180px; object-fit: cover; margin: 0 0 8px; background: var(--line); }
      .live-map .map-tools { display: flex; gap: 4px; flex-wrap: wrap; }
      .live-map .map-tools button { font: inherit; padding: 6px 10px; min-height: 32px; border: 1px solid var(--line);
        border-radius: 4px; background: var(--surface); color: var(--ink); cursor: pointer; }
      .live-map .map-tools button[aria-pressed="true"] { background: var(--accent); color: var(--on-accent, #fff); }
      .live-map.is-drawing { cursor: crosshair; }
      .table-and-map table.list { font-size: .875rem; }
      /* A table that is wider than its half is moved, and never lies under the map. */
      .table-and-map > :first-child { overflow-x: auto; }
      .table-and-map table.list td.time { white-space: nowrap; }
      .table-and-map table.list td.choose { width: 2rem; }
      /* Names are what people look for: they break between words, and the dates give them room. */
      .table-and-map table.list td.name { min-width: 14rem; max-width: none; overflow-wrap: break-word; }
      /* A parcel's identifier goes into the next line as a whole. */
      .table-and-map table.list td.name .muted { display: inline-block; max-width: 100%; }
      /* A login is not divided: it has no place where it could be. */
      .table-and-map table.list td:not(.name) { overflow-wrap: normal; }
      .table-and-map table.list :is(td, th) { padding-inline: .5rem; }
      @media (min-width: 75rem) {
        .table-and-map { grid-template-columns: minmax(0, 5fr) minmax(0, 2fr) !important; }
        .table-and-map > :last-child { position: sticky; top: .5rem; }
      }
      @media (max-width: 74.99rem) { .table-and-map { grid-template-columns: minmax(0, 1fr) !important; } }
      """)
}
