extension StyleSheet {
  /// Desk, phone, paper, and people for whom things should not move.
  static let media = """
    @media (min-width: 64em) {
      .split { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
    }
    @media (max-width: 63.99em) {
      body.office .bar nav { order: 3; flex-basis: 100%; }
      body.office .bar nav ul { flex-wrap: wrap; }
      body.office .bar nav a { min-height: 2.5rem; }

      /* One thumb reaches the way to every page. */
      body.field { padding-bottom: calc(4rem + env(safe-area-inset-bottom)); }
      body.field .bar nav { position: fixed; inset: auto 0 0; z-index: 5; background: var(--bar);
        padding-bottom: env(safe-area-inset-bottom); box-shadow: 0 -1px var(--on-bar-soft); }
      body.field .bar nav li { flex: 1; }
      body.field .bar nav a { justify-content: center; min-height: 4rem; padding: 0 .5rem;
        font-size: 1rem; border-bottom: 0; border-top-width: 5px; padding-bottom: 5px; }
      body.field .bar nav [aria-current] { border-top-color: var(--on-bar); }
    }
    @media (max-width: 40em) {
      main, body.field main { padding: .75rem; }
      .card { padding: .75rem; }
      .bar { padding: 0 .75rem; gap: 0 .75rem; }
      .who { flex: 1 1 8rem; }
      body.field .bar { flex-wrap: nowrap; }
      body.field .bar:has(.who) .brand span { position: absolute; width: 1px; height: 1px;
        overflow: hidden; clip-path: inset(50%); }
      .demonstration { font-size: .875rem; }
      .actions { flex-direction: column; align-items: stretch; }
      .actions :is(.button, button), .empty .actions .button { width: 100%; min-height: 3rem; }
      .facts { gap: .125rem .75rem; grid-template-columns: minmax(5.5rem, 34%) minmax(0, 1fr); }

      /* The rows of a list become cards; the header's words move to each value. */
      table.list, table.list :is(tbody, tr, td, th, caption) { display: block; }
      table.list { background: none; border: 0; }
      table.list thead:not(:has(a, input, button)) { position: absolute; width: 1px; height: 1px; overflow: hidden;
        clip-path: inset(50%); }
      /* What sorts the columns sorts the cards: it stays, as a row of links. */
      table.list thead:has(a, input, button), body.office table.list thead:has(a, input, button) th { display: block; padding: 0;
        background: none; box-shadow: none; position: static; }
      table.list thead:has(a, input, button) tr { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0 0 .5rem; }
      body.office table.list thead:has(a, input, button) th:not(:has(a, input, button)) { display: none; }
      table.list thead :is(a, label) { display: inline-flex; align-items: center; min-height: 2.5rem;
        gap: .25rem; }
      table.list tbody tr { margin: 0 0 .75rem; padding: .5rem .75rem; background: var(--surface);
        border: var(--border) solid var(--line); border-radius: var(--radius);
        display: flex; flex-direction: column; }
      /* Its name heads a card, and what chooses it comes before. */
      table.list tbody td:has(> a:first-child) { order: -1; font-weight: 650; }
      body.office table.list tbody td.name { display: block; text-align: start; }
      body.office table.list tbody td.name::before, table.list thead .second { display: none; }
      table.list tbody :is(td, th):has(> input, > label > input) { order: -2; }
      table.list tbody :is(td, th) { overflow-wrap: anywhere; max-width: none; }
      .foot span { flex-basis: 100%; }
      .foot .button { padding-inline: .5rem; }
      .foot span + .button { margin-inline-start: -.5rem; }
      table.list tbody tr:hover { background: var(--surface); }
      body table.list tbody :is(td, th), body.office table.list :is(td, th) { display: flex;
        justify-content: space-between; gap: 1rem; padding: .25rem 0; border: 0; text-align: end; }
      body table.list tbody :is(td, th):not([data-label]) { justify-content: start;
        text-align: start; }
      body table.list tbody th, table.list tbody td:first-child:not([data-label]) {
        font-weight: 650; }
      table.list td:empty { display: none !important; }
      table.list [data-label]::before { content: attr(data-label); flex: none; max-width: 50%;
        color: var(--soft); font-weight: 400; text-align: start; white-space: normal; }
    }
    @media (prefers-reduced-motion: no-preference) {
      .skip { transition: top .1s; }
    }
    @media (forced-colors: active) {
      .button, .state, .gate, .bar { border: 2px solid; }
      .bar nav a, .tabs a { border-block-color: Canvas; }
      .bar nav [aria-current], .tabs [aria-current] { border-block-color: Highlight; }
    }
    @media print {
      :root:is([data-theme], :not([data-theme])) { --ground: #fff; --surface: #fff; --raised: #fff;
        --ink: #000; --soft: #333;
        --line: #999; --accent: #000; --accent-soft: #fff; --good: #000; --warn: #000; --bad: #000;
        --good-soft: #fff; --warn-soft: #fff; --bad-soft: #fff; color-scheme: light; }
      body.field, body.office { font-size: 10pt; padding: 0; }
      .bar nav, .who form, .actions, .skip, .pager, .way, .tabs, .foot, .toolbar, .live-lost { display: none !important; }
      .split .decision { position: static; box-shadow: none; }
      .bar { background: none; color: #000; padding: 0; border-bottom: 1pt solid #000; }
      .person { color: #000; }
      main { max-width: none; padding: .5rem 0; }
      .card, .photo, .map, tr, .notice { break-inside: avoid; }
      .gate { color: #000; background: #fff; border-color: #000; outline: 0; }
      .split { grid-template-columns: 1fr 1fr; }
      thead { display: table-header-group; }
      details:not([open]) { display: none; }
    }
    """
}
