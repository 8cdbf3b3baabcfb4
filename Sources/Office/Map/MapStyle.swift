import Web

/// How the map looks, beside Leaflet's own sheet.
enum MapStyle {
  static let asset = Asset(
    path: "/assets/map.css", mediaType: "text/css; charset=utf-8",
    text: """
      .live-map { position: relative; height: 60vh; min-height: 320px; margin: 0 0 1rem;
        border: 1px solid var(--line); border-radius: 4px; background: var(--ground); z-index: 0; }
      .live-map.tall { height: calc(100vh - 14rem); min-height: 420px; }
      .live-map .leaflet-container, .live-map.leaflet-container { font: inherit; background: var(--ground); color: var(--ink); }
      .live-map .map-cluster { display: flex; align-items: center; justify-content: center;
        border-radius: 50%; border: 2px solid var(--surface); background: var(--accent); color: var(--on-accent, #fff);
        font-weight: 700; font-variant-numeric: tabular-nums; box-shadow: 0 0 0 1px var(--accent); }
      .live-map .map-cluster.is-tasks { background: var(--surface); color: var(--ink); border-color: var(--accent); }
      .live-map .leaflet-popup-content-wrapper, .live-map .leaflet-popup-tip { background: var(--surface); color: var(--ink); border-radius: 4px; }
      .live-map .leaflet-popup-content { margin: 12px; min-width: 180px; }
      .live-map .leaflet-popup-content img { display: block; width: 100%; max-height: 180px; object-fit: cover; margin: 0 0 8px; background: var(--line); }
      .live-map .leaflet-popup-content p { margin: 0 0 4px; }
      .live-map .leaflet-bar a, .live-map .leaflet-control-layers { background: var(--surface); color: var(--ink); }
      .live-map .leaflet-control-attribution, .live-map .leaflet-control-scale-line { background: var(--surface); color: var(--ink); }
      .live-map .map-tools { display: flex; gap: 4px; flex-wrap: wrap; }
      .live-map .map-tools button { font: inherit; padding: 6px 10px; min-height: 32px; border: 1px solid var(--line);
        border-radius: 4px; background: var(--surface); color: var(--ink); cursor: pointer; }
      .live-map .map-tools button[aria-pressed="true"] { background: var(--accent); color: var(--on-accent, #fff); }
      .live-map .map-note { background: var(--surface); color: var(--ink); padding: 4px 10px; border-radius: 4px; border: 1px solid var(--line); }
      .live-map.is-drawing { cursor: crosshair; }
      .live-map:focus-visible, .live-map :focus-visible { outline: 3px solid var(--focus) !important; outline-offset: 1px; }
      .live-map:focus-visible { outline-offset: -3px; }
      .table-and-map table.list { font-size: .875rem; }
      /* A table that is wider than its half is moved, and never lies under the map. */
      .table-and-map > :first-child { overflow-x: auto; }
      .table-and-map table.list td.time { white-space: nowrap; }
      .table-and-map table.list td.choose { width: 2rem; }
      @media (min-width: 75rem) {
        .table-and-map { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) !important; }
        .table-and-map > :last-child { position: sticky; top: .5rem; }
      }
      @media (max-width: 74.99rem) { .table-and-map { grid-template-columns: minmax(0, 1fr) !important; } }
      .live-map .map-number { display: flex; align-items: center; justify-content: center; border-radius: 50%;
        border: 2px solid var(--surface); background: var(--accent); color: var(--on-accent); font-weight: 700; }
      .live-map .leaflet-tile-pane { filter: saturate(.7); }
      """)
}
