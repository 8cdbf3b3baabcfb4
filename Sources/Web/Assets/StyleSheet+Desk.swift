extension StyleSheet {
  /// What stands beside lists at a desk: tools for many rows, pictures side by side, a real map.
  static let desk = """
    .toolbar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem;
      margin: 0 0 1rem; padding: .5rem .75rem; background: var(--raised);
      border: var(--border) solid var(--line); border-radius: var(--radius); }
    .toolbar > * { margin: 0; }
    .toolbar label { display: inline-flex; align-items: center; gap: .5rem; font-weight: 600; }
    .toolbar :is(input, select) { font-weight: 400; }
    .toolbar form { display: contents; }
    .toolbar .actions, .toolbar > .end { margin-inline-start: auto; }
    .compare { display: grid; gap: 1rem; margin: 0 0 1rem; padding: 0; list-style: none;
      grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); align-items: start; }
    .compare > * { min-width: 0; margin: 0; }
    .compare img { display: block; width: 100%; max-height: 70vh; object-fit: contain;
      background: #000; border-radius: var(--radius); }
    .compare figcaption { padding: .5rem 0; }
    .compare .differs { font-weight: 650; }
    .compare .differs::before { content: "≠ "; content: "≠ " / ""; color: var(--warn); }
    .gallery { display: grid; gap: .75rem; margin: 0 0 1rem; padding: 0; list-style: none;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); }
    .gallery > * { display: flex; flex-direction: column; min-width: 0; margin: 0; padding: 0;
      background: var(--surface); border: var(--border) solid var(--line);
      border-radius: var(--radius); overflow: hidden; }
    .gallery > *:hover { border-color: var(--accent); }
    .gallery img { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: cover;
      background: var(--raised); }
    .gallery a:has(> img) { display: block; }
    .gallery a:focus-visible { outline-offset: -4px; }
    .gallery > * > :not(img, a:has(> img)) { margin: 0; padding: .25rem .75rem; }
    .gallery > * > :last-child:not(img, a:has(> img)) { padding-bottom: .625rem; }
    .gallery .actions { margin-top: auto; }
    .gallery .button.quiet { padding-inline: 0; }
    div.map { position: relative; z-index: 0; height: 60vh; min-height: 320px; }
    .split > div.map { margin-bottom: 1rem; }
    /* Leaflet's own parts in our colours. */
    div.map.leaflet-container, div.map .leaflet-container { background: var(--raised); font: inherit;
      color: var(--ink); }
    div.map .leaflet-container { height: 100%; }
    div.map .leaflet-bar a { width: 2.25rem; height: 2.25rem; line-height: 2.25rem;
      background: var(--surface); color: var(--ink); border-color: var(--line); }
    body.field div.map .leaflet-bar a { width: 3rem; height: 3rem; line-height: 3rem; }
    div.map .leaflet-bar a.leaflet-disabled { color: var(--soft); background: var(--ground); }
    div.map :is(.leaflet-popup-content-wrapper, .leaflet-popup-tip, .leaflet-tooltip,
      .leaflet-control-layers, .leaflet-control-attribution) { background: var(--surface);
      color: var(--ink); border-radius: var(--radius); }
    div.map .leaflet-popup-content { margin: .75rem 2.25rem .75rem 1rem; font-size: 1rem; line-height: 1.5; }
    div.map a.leaflet-popup-close-button { width: 2rem; height: 2rem; line-height: 2rem;
      color: var(--ink); }
    div.map .marker-cluster { background: var(--accent-soft); border: 2px solid var(--accent); }
    div.map .marker-cluster div { background: var(--accent); color: var(--on-accent);
      font: inherit; font-weight: 650; }
    /* A decision stays in sight while the photos that it is about go by. */
    @media (min-width: 64em) and (min-height: 40em) {
      .split > :has(> .decision) { align-self: stretch; }
      /* It gives way to what lies below it as soon as somebody is there. */
      .split > :not(:has(> .decision ~ :focus-within)) > .decision { position: sticky; top: .5rem;
        z-index: 1; box-shadow: 0 -.5rem 0 var(--ground), 0 .5rem 0 var(--ground); }
    }
    /* A photo by itself has its numbers beside it. */
    @media (min-width: 64em) {
      main > .photo-card { display: grid; gap: 0 1.5rem; align-items: start;
        grid-template: repeat(6, auto) 1fr / minmax(0, 3fr) minmax(0, 2fr); }
      main > .photo-card > h2 { grid-column: 1 / -1; }
      main > .photo-card > a:has(> img) { grid-area: 2 / 1 / -1 / 2; }
      main > .photo-card > :not(h2, a:has(> img)) { grid-column: 2; }
    }
    @media (min-width: 75em) {
      .split:has(> div.map) { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
      /* Leaflet makes it relative by itself. */
      .split > div.map { position: sticky !important; top: 1rem; height: calc(100vh - 2rem); }
    }
    @media (max-width: 74.99em) {
      .split:has(> div.map) { grid-template-columns: minmax(0, 1fr); }
    }
    """
}
