extension StyleSheet {
  /// Tables, states and verdicts.
  static let data = """
    table.list { width: 100%; margin: 0 0 1rem; border-collapse: collapse;
      background: var(--surface); border: var(--border) solid var(--line); }
    table.list caption { padding: .5rem 0; text-align: start; font-weight: 600; }
    table.list :is(th, td) { padding: .375rem .75rem; text-align: start; vertical-align: baseline;
      border-bottom: var(--border) solid var(--line); }
    table.list thead th { position: sticky; top: 0; background: var(--raised); color: var(--soft);
      font-weight: 600; box-shadow: inset 0 -2px var(--line); border-bottom: 0; }
    table.list thead a { color: inherit; }
    table.list thead .second { display: block; }
    table.list th[aria-sort] { color: var(--ink); }
    table.list th[aria-sort="ascending"] a::after { content: " ▲"; content: " ▲" / ""; }
    table.list th[aria-sort="descending"] a::after { content: " ▼"; content: " ▼" / ""; }
    table.list tbody tr:hover { background: var(--accent-soft); }
    table.list :is(td, th).number { text-align: end; }
    /* A word that is too long is broken where its column would take the others' room. */
    table.list :is(td, tbody th) { max-width: min(26rem, 18vw); overflow-wrap: anywhere; }
    table.list .time, table.list summary { white-space: nowrap; }
    /* A column is as wide as its figures; its heading takes a second line. */
    table.list thead th.number { white-space: normal; }
    @media (max-width: 74.99em) {
      table.list summary { white-space: normal; }
      table.list td > details { max-width: 100%; min-width: 0; }
    }
    table.list img { display: block; width: 5rem; height: 3.75rem; object-fit: cover; }
    table.list td > :is(form, details) { display: inline-block; margin: 0 .5rem 0 0;
      vertical-align: top; }
    table.list td > details:not([open]) { border-color: transparent; background: none; }
    table.list td > form > .button.quiet { padding-inline: 0; }
    body.office table.list td :is(summary, .button) { min-height: 2rem; padding-block: .125rem; }
    body.office table.list :is(th, td) { padding: .25rem .625rem; }
    body.field table.list :is(th, td) { padding-block: .375rem; }
    body.field table.list :is(th, td) > a { display: inline-flex; align-items: center;
      min-height: 3rem; }

    .state, .verdict-intact, .verdict-doubtful, .verdict-incomplete, .verdict-altered {
      display: inline-flex; align-items: baseline; gap: .4em; margin-block: .125rem;
      padding: 0 .5em; font-weight: 600;
      white-space: nowrap; border: var(--border) solid currentColor; border-radius: 1em;
      color: var(--soft); background: var(--raised); }
    .state-new { color: var(--accent); background: var(--accent-soft); }
    .state-open { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
    .state-returned { color: var(--warn); background: var(--warn-soft); }
    .state-dataProvided { color: var(--ink); background: var(--raised); }
    .state-accepted, .verdict-intact { color: var(--good); background: var(--good-soft); }
    .state-declined, .verdict-altered { color: var(--bad); background: var(--bad-soft); }
    .state-withdrawn { border-style: dashed; }
    .verdict-doubtful { color: var(--warn); background: var(--warn-soft); }
    .verdict-incomplete { color: var(--soft); background: var(--raised); border-style: dashed; }
    .state-new::before { content: "○"; content: "○" / ""; }
    .state-open::before { content: "◐"; content: "◐" / ""; }
    .state-returned::before { content: "↩"; content: "↩" / ""; }
    .state-dataProvided::before { content: "↑"; content: "↑" / ""; }
    :is(.state-accepted, .verdict-intact)::before { content: "✓"; content: "✓" / ""; }
    :is(.state-declined, .verdict-altered)::before { content: "✗"; content: "✗" / ""; }
    .state-withdrawn::before { content: "–"; content: "–" / ""; }
    .verdict-doubtful::before { content: "?"; content: "?" / ""; }
    .verdict-incomplete::before { content: "…"; content: "…" / ""; }

    .light { display: inline-flex; align-items: baseline; gap: .5em; font-weight: 600; }
    .light::before { flex: none; width: 1.25em; text-align: center; content: "○";
      content: "○" / ""; }
    .light .muted { font-weight: 400; }
    .light-good { color: var(--good); }
    .light-warn { color: var(--warn); }
    .light-bad { color: var(--bad); }
    .light-good::before { content: "●"; content: "●" / ""; }
    .light-warn::before { content: "▲"; content: "▲" / ""; }
    .light-bad::before { content: "■"; content: "■" / ""; }
    """

  /// What the field unit shows while somebody stands in a field, and photos everywhere.
  static let instruments = """
    .gate { display: grid; gap: .5rem; place-content: center; justify-items: center;
      min-height: 14rem; margin: 0 0 1rem; padding: 1rem; text-align: center; font-size: 1.5rem;
      line-height: 1.25; border: 6px solid; border-radius: var(--radius);
      color: var(--ink); background: var(--surface); }
    .gate::before { font-size: clamp(2.5rem, 12vw, 4.5rem); line-height: 1; font-weight: 700; }
    .gate > :is(strong, h1, h2):first-child { font-size: clamp(2.5rem, 13vw, 5.5rem); font-weight: 700;
      line-height: 1.0625; letter-spacing: -.02em; overflow-wrap: anywhere; }
    .gate > * { margin: 0; text-wrap: balance; }
    .gate .muted { color: inherit; }
    .gate-still { color: #fff; background: #0b5426; border-color: #0b5426; }
    .gate-settling { color: #000; background: #ffc61a; border-color: #000; border-style: dashed; }
    .gate-moving { color: #fff; background: #9c0f1a; border-color: #9c0f1a; }
    .gate-refused { color: #fff; background: #000; border-color: #fff; outline: 6px solid #000;
      outline-offset: -1px; }
    .gate-still::before { content: "●"; content: "●" / ""; }
    .gate-settling::before { content: "◐"; content: "◐" / ""; }
    .gate-moving::before { content: "▲"; content: "▲" / ""; }
    .gate-refused::before { content: "✕"; content: "✕" / ""; }
    .take-away { width: min(24rem, calc(100vw - 2rem)); padding: 1.25rem; color: var(--ink); background: var(--surface);
      border: 2px solid var(--edge); border-radius: var(--radius); }
    .take-away::backdrop { background: rgb(0 0 0 / .45); }
    .take-away form { margin: 0; }
    .meter, meter, progress { display: block; width: 100%; height: 1rem; margin: 0 0 .75rem;
      border: 2px solid var(--edge); border-radius: var(--radius); background: var(--surface);
      appearance: none; overflow: hidden; }
    div.meter > * { display: block; height: 100%; background: var(--accent); }
    :is(progress, meter)::-webkit-progress-bar, meter::-webkit-meter-bar {
      background: var(--surface); border: 0; border-radius: 0; height: 100%; }
    progress::-webkit-progress-value { background: var(--accent); }
    progress::-moz-progress-bar { background: var(--accent); }
    meter::-webkit-meter-optimum-value { background: var(--good); }
    meter::-webkit-meter-suboptimum-value { background: var(--warn); }
    meter::-webkit-meter-even-less-good-value { background: var(--bad); }
    meter::-webkit-meter-inner-element { display: block; height: 100%; }
    .gate :is(progress, meter, .meter) { height: 1.5rem; margin: .25rem 0; border-color: currentColor;
      background: transparent; }
    .gate ::-webkit-progress-bar { background: transparent; }
    .gate ::-webkit-progress-value { background: currentColor; }
    .gate ::-moz-progress-bar { background: currentColor; }

    /* Dark on light in every theme: that is what cameras look for. */
    .qr { display: block; width: min(100%, 14rem); height: auto; margin-top: .5rem; }
    .qr rect { fill: #fff; }
    .qr path { fill: #000; }
    .secrets { display: flex; flex-wrap: wrap; gap: 0 2rem; }
    .secret { flex: 1 1 20rem; margin: 0 0 1rem; }
    .sent pre { max-height: 20rem; }
    .sent dd > .facts { margin: 0; }
    .sent + h3 { margin-top: .9rem; }

    .photos { display: grid; gap: .75rem; margin: 0 0 1rem; padding: 0; list-style: none;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
    .photos > li { margin: 0; }
    .photo { margin: 0; background: var(--surface); border: var(--border) solid var(--line);
      border-radius: var(--radius); overflow: hidden; }
    .photo a { display: block; color: inherit; text-decoration: none; }
    .photo a:focus-visible { outline-offset: -4px; }
    .photo img { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: cover;
      background: var(--raised); }
    .photo figcaption { padding: .5rem .75rem; line-height: 1.375; }
    .photo:hover { border-color: var(--accent); }
    .photo-large { margin: 0 0 1rem; background: #000; color: #fff; border-radius: var(--radius);
      overflow: hidden; text-align: center; }
    img.photo-large, .photo-large img { display: inline-block; max-width: 100%; max-height: 85vh;
      vertical-align: top; }
    .photo-large figcaption { padding: .5rem .75rem; text-align: start; }
    .map { margin: 0 0 1rem; background: var(--surface); border: var(--border) solid var(--line);
      border-radius: var(--radius); overflow: hidden; }
    figure.map svg { display: block; width: 100%; }
    .map figcaption { padding: .5rem .75rem; border-top: var(--border) solid var(--line);
      color: var(--soft); }
    """
}
