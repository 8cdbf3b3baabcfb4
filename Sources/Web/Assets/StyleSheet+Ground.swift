extension StyleSheet {
  /// Type, links, focus.
  static let ground = """
    *, ::before, ::after { box-sizing: border-box; }
    html {
      -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding: 4rem 0 6rem;
    }
    body {
      margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
      font: 1rem/1.5 system-ui, "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums;
      overflow-wrap: break-word;
    }
    body.field { font-size: 1.125rem; }
    body.office { font-size: .9375rem; }
    h1, h2, h3 { margin: 0 0 .5rem; line-height: 1.25; font-weight: 650; text-wrap: balance;
      overflow-wrap: anywhere; }
    h1 { font-size: 1.5rem; letter-spacing: -.01em; }
    h2 { font-size: 1.1875rem; }
    h3 { font-size: 1rem; }
    p, ul, ol, dl, figure, pre { margin: 0 0 .75rem; }
    ul, ol { padding-inline-start: 1.25rem; }
    li + li { margin-top: .25rem; }
    a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
    a:hover { text-decoration-thickness: 2px; }
    /* A map's tiles and drawings are as large as its library says. */
    :where(img, svg, video, canvas):where(:not(div.map *, .live-map *)) { max-width: 100%; height: auto; }
    hr { border: 0; border-top: var(--border) solid var(--line); margin: 1rem 0; }
    small { font-size: .875em; }
    code, pre, kbd { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em; }
    pre { overflow: auto; padding: .75rem; background: var(--raised);
      border: var(--border) solid var(--line); border-radius: var(--radius); }
    kbd { padding: 0 .35em; border: 1px solid var(--edge); border-radius: 3px;
      background: var(--raised); }
    code.digest { overflow-wrap: anywhere; word-break: break-all; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
    /* A date's own parts take the focus from it, and not all browsers call that visible. */
    :is(input, textarea, select):is(:focus, :focus-within) { outline: 3px solid var(--focus); outline-offset: 2px; }
    main:focus { outline: none; }
    main > p:not(.notice) { max-width: 60rem; }
    .skip { position: absolute; left: .5rem; top: -6rem; z-index: 9; padding: .75rem 1rem;
      background: var(--surface); color: var(--ink); }
    .skip:focus { top: .5rem; }
    .muted { color: var(--soft); }
    .number, td.number, th.number { text-align: end; white-space: nowrap; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap; }
    [hidden] { display: none !important; }
    """

  /// The bar on top, and what every page has around its contents.
  static let bar = """
    .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.5rem; min-height: 3rem;
      padding: 0 1rem; background: var(--bar); color: var(--on-bar); }
    .bar :focus-visible { outline-color: #fff; }
    .brand { display: inline-flex; align-items: center; gap: .5rem; min-height: 3rem;
      color: inherit; font-weight: 650; text-decoration: none; }
    .mark { width: 1.5rem; height: 1.5rem; fill: none; stroke: currentColor; stroke-width: 2.5; }
    .mark .dot { fill: currentColor; stroke: none; }
    .bar nav { flex: 1 1 0; min-width: 0; }
    .bar nav ul { display: flex; margin: 0; padding: 0; list-style: none; overflow-x: auto;
      scrollbar-width: thin; }
    .bar nav li { margin: 0; }
    .bar nav a { display: flex; align-items: center; min-height: 3rem; padding: 0 .75rem;
      color: var(--on-bar-soft); text-decoration: none; white-space: nowrap;
      border-block: 3px solid transparent; }
    .bar nav a:hover { color: var(--on-bar); }
    .bar nav a:focus-visible { outline-offset: -4px; }
    .bar nav [aria-current] { color: var(--on-bar); font-weight: 650;
      border-bottom-color: var(--on-bar); }
    .who { display: flex; align-items: center; justify-content: end; gap: .75rem; min-width: 0;
      margin-inline-start: auto; }
    .who form { margin: 0; }
    .person { color: var(--on-bar-soft); overflow: hidden; text-overflow: ellipsis;
      white-space: nowrap; min-width: 0; }
    .bar .button { min-height: 2.25rem; padding: .25rem .75rem; background: transparent;
      border-color: var(--on-bar-soft); color: var(--on-bar); text-decoration: none;
      white-space: nowrap; }
    .bar .button:hover { background: var(--on-bar); color: var(--bar); }
    .demonstration { margin: 0; padding: .25rem 1rem; text-align: center; font-weight: 600;
      background: var(--warn-soft); color: var(--warn);
      border-bottom: var(--border) solid currentColor; }
    .demonstration::before { content: "▲ "; content: "▲ " / ""; }
    main { display: block; max-width: 90rem; margin: 0 auto; padding: 1rem; }
    body.field main { max-width: 48rem; }
    .live-lost { padding: .5rem .75rem; border: 2px dashed var(--warn); color: var(--warn);
      border-radius: var(--radius); background: var(--warn-soft); }
    .live-lost::before { content: "▲ "; content: "▲ " / ""; }
    .is-lost { opacity: .75; }
    """

  /// The choice of the look, below everything else.
  static let foot = """
    .foot { max-width: 90rem; margin: 0 auto; padding: 0 1rem 1rem; color: var(--soft); }
    body.field .foot { max-width: 48rem; }
    .foot form { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .25rem;
      padding-top: .5rem; border-top: var(--border) solid var(--line); }
    .foot span { margin-inline-end: .5rem; }
    .foot .button { padding-inline: .75rem; font-weight: 400; color: var(--soft); }
    .foot .button[aria-pressed="true"] { color: var(--ink); font-weight: 650; text-decoration: none; }
    .foot .button[aria-pressed="true"]::before { content: "✓"; content: "✓" / ""; }
    """
}
