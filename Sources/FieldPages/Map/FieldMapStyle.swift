import FieldUnit
import Web

/// How the field unit's map looks, beside Leaflet's own sheet: what a thumb needs lies below.
enum FieldMapStyle {
  static let asset = Asset(
    path: "/assets/field-map.css", mediaType: "text/css; charset=utf-8",
    text: MapGround.style + """
      body.field main:has(.map-page) { max-width: none; padding: 0; }
      main:has(.map-page) > .notices { margin: .5rem .75rem; }
      .map-page { display: grid; grid-template-rows: auto auto; }
      .live-map.field-map { height: calc(100dvh - 19rem); min-height: 45vh; margin: 0; border-width: 0 0 1px;
        border-radius: 0; }
      /* While a track is recorded its buttons stay within a thumb's reach. */
      .map-page:has([data-recording]:not([hidden])) .field-map { height: calc(100dvh - 31rem); min-height: 38vh; }
      .map-panel { display: grid; gap: .5rem; align-content: start; padding: .5rem .75rem 1rem; min-width: 0; }
      .map-panel > * { margin: 0; min-width: 0; }
      .map-here { font-size: 1.125rem; }
      .map-way { padding: .25rem .75rem; font-weight: 650; font-size: 1.25rem; overflow-wrap: anywhere;
        border: var(--border) solid var(--accent); border-inline-start-width: 6px; border-radius: var(--radius);
        background: var(--accent-soft); color: var(--ink); }
      .map-way::before { content: "➤ "; content: "➤ " / ""; color: var(--accent); }
      .map-tools, .map-buttons { display: grid; gap: .5rem; grid-template-columns: repeat(2, minmax(0, 1fr)); }
      .map-tools > .button { width: 100%; }
      .map-tools [aria-pressed="true"] { background: var(--accent); color: var(--on-accent); }
      .map-tools [aria-pressed="true"]::before { content: "✓"; content: "✓" / ""; }
      .map-buttons form, .map-buttons .button { width: 100%; margin: 0; }
      .map-record .ask { margin: .5rem 0 0; }
      .map-numbers { margin: 0 0 .5rem; font-size: 1.125rem; overflow-wrap: anywhere; }
      .map-numbers [data-value]:not(:empty, :last-child, [data-value="name"])::after { content: " · "; }
      .map-rows { padding: 0; list-style: none; }
      .map-rows > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
        gap: 0 .5rem; margin: 0; border-bottom: var(--border) solid var(--line); }
      .map-rows .button { justify-content: start; padding-inline: .25rem; text-align: start; flex-wrap: wrap;
        overflow-wrap: anywhere; min-width: 0; }
      .field-map .leaflet-bar a { width: 3rem; height: 3rem; line-height: 3rem; font-size: 1.5rem; }
      .field-map .leaflet-control-layers-toggle { width: 3rem; height: 3rem; }
      .field-map .leaflet-control-layers { font-size: 1rem; max-width: 85vw; }
      .field-map .leaflet-control-layers label, .field-map .leaflet-control-layers label > span { display: flex;
        align-items: center; min-height: 3rem; margin: 0; padding: 0; overflow-wrap: anywhere; }
      .field-map .leaflet-control-layers-separator { border-color: var(--line); }
      .field-map .leaflet-control-scale-line, .field-map .leaflet-control-attribution { font-size: .875rem; }
      .field-map .leaflet-popup-content { font-size: 1rem; line-height: 1.5; }
      .field-map a.leaflet-popup-close-button { width: 3rem; height: 3rem; line-height: 3rem; font-size: 1.25rem;
        color: var(--ink); }
      .field-map .leaflet-popup-content { margin: .75rem 3rem .75rem 1rem; }
      .field-map .leaflet-popup-content .button { display: flex; min-height: 3rem; color: var(--accent); }
      .field-map :is(.map-sign, .map-photo) { display: flex; align-items: center; justify-content: center; }
      .field-map .map-sign > span { display: flex; align-items: center; justify-content: center; width: 2rem;
        height: 2rem; border-radius: 50%; border: 2px solid currentColor; background: var(--surface);
        color: var(--ink); font-size: 1.125rem; font-weight: 700; }
      .field-map .map-sign-new > span { color: var(--accent); }
      .field-map .map-sign-open > span { color: var(--on-accent); background: var(--accent); }
      .field-map .map-sign-returned > span { color: var(--warn); }
      .field-map .map-sign-accepted > span { color: var(--good); }
      .field-map .map-sign-declined > span { color: var(--bad); }
      .field-map .map-photo > span { width: 1.125rem; height: 1.125rem; border: 3px solid var(--surface);
        background: var(--accent); box-shadow: 0 0 0 2px var(--accent); }
      .field-map .map-photo.is-alone > span { border-radius: 50%; }
      .field-map .map-degree { width: auto !important; height: auto !important; white-space: nowrap;
        font-size: .875rem; color: var(--ink); text-shadow: 0 0 3px var(--ground), 0 0 3px var(--ground);
        padding: 0 .25rem; pointer-events: none; }
      .field-map .map-me { display: flex; align-items: center; justify-content: center; }
      .field-map .map-me > span { position: relative; width: 1.5rem; height: 1.5rem; border-radius: 50%;
        border: 3px solid var(--surface); background: var(--bad); box-shadow: 0 0 0 2px var(--ink); }
      .field-map .map-me.has-course > span::before { content: ""; position: absolute; left: 50%; top: -1.25rem;
        translate: -50% 0; border: .5rem solid transparent; border-top-width: 0;
        border-bottom: 1rem solid var(--ink); }
      .field-map .map-me.is-old > span { background: var(--surface); box-shadow: 0 0 0 2px var(--soft);
        border: 3px dashed var(--soft); }
      @media (min-width: 64em) {
        .map-page { grid-template: minmax(0, 1fr) / minmax(0, 1fr) 24rem; height: calc(100dvh - 3.25rem); }
        body:has(.demonstration) .map-page { height: calc(100dvh - 5.5rem); }
        .map-page .live-map.field-map, .map-page:has([data-recording]:not([hidden])) .field-map { height: 100%; min-height: 0; border-width: 0 1px 0 0; }
        .map-panel { overflow-y: auto; padding: 1rem; }
      }
      @media print { .map-panel form, .map-tools { display: none !important; } }
      """)
}
