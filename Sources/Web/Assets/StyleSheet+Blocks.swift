extension StyleSheet {
  /// Cards, notices, lists of facts: what a page is made of.
  static let blocks = """
    .card { margin: 0 0 1rem; padding: 1rem; background: var(--surface); border-radius: var(--radius);
      border: var(--border) solid var(--line); }
    .card > :last-child, .card > form:last-child > :last-child, .fields > :last-child {
      margin-bottom: 0; }
    body.office main > .card:has(> .fields) { max-width: 44rem; }
    /* Where there is no way on, there is one thing to do: it stands in the middle. */
    .bar:not(:has(nav)) ~ main > .card { max-width: 32rem; margin-inline: auto; }
    a.card { display: block; color: inherit; text-decoration: none; }
    a.card:hover { border-color: var(--accent); }
    .split { display: grid; gap: 0 1rem; align-items: start; }
    .split > * { min-width: 0; }
    .facts { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr);
      gap: .25rem 1rem; align-items: baseline; }
    .facts dt { color: var(--soft); }
    .facts dd { margin: 0; overflow-wrap: anywhere; }
    .facts dt, .facts dd { padding-block: .125rem; }
    .notices { margin-bottom: 1rem; }
    .notice { position: relative; margin: 0 0 .75rem; padding: .75rem 1rem .75rem 2.75rem;
      border: var(--border) solid currentColor; border-inline-start-width: 6px;
      border-radius: var(--radius); }
    .notice::before { position: absolute; left: .875rem; font-weight: 700; }
    .notice-success { color: var(--good); background: var(--good-soft); }
    .notice-warning { color: var(--warn); background: var(--warn-soft); }
    .notice-error { color: var(--bad); background: var(--bad-soft); }
    .notice-note { color: var(--accent); background: var(--accent-soft); }
    .notice-success::before { content: "✓"; content: "✓" / ""; }
    .notice-warning::before { content: "▲"; content: "▲" / ""; }
    .notice-error::before { content: "✕"; content: "✕" / ""; }
    .notice-note::before { content: "i"; content: "i" / ""; }
    .notice a { color: inherit; }
    body.office .notice { padding-block: .375rem; }
    .notices .notice { margin-bottom: .5rem; }
    .empty { margin: 0 0 1rem; padding: 2.5rem 1rem; text-align: center; color: var(--soft);
      border: 2px dashed var(--line); border-radius: var(--radius); }
    .empty::before { content: "○"; content: "○" / ""; display: block; font-size: 2rem;
      line-height: 1; margin-bottom: .75rem; color: var(--edge); }
    .empty h2, .empty strong { color: var(--ink); }
    .empty > :last-child { margin-bottom: 0; }
    .empty .actions { justify-content: center; }
    .timeline { margin: 0 0 1rem .375rem; padding: 0; list-style: none;
      border-inline-start: 2px solid var(--line); }
    .timeline > li { position: relative; margin: 0; padding: 0 0 1rem 1.25rem; }
    .timeline > li:last-child { padding-bottom: 0; }
    .timeline > li::before { content: ""; position: absolute; left: -7px; top: .4em; width: 12px;
      height: 12px; border-radius: 50%; background: var(--surface); border: 3px solid var(--accent); }
    .timeline > li:last-child::before { background: var(--accent); }
    .timeline p { margin-bottom: .25rem; }
    .timeline time { color: var(--soft); }
    .tabs { display: flex; gap: 0; margin: 0 0 1rem; padding: 0; list-style: none; overflow-x: auto;
      border-bottom: var(--border) solid var(--line); }
    .tabs ul { display: contents; }
    .tabs li { margin: 0; list-style: none; }
    .tabs a { display: flex; align-items: center; min-height: 2.75rem; padding: 0 1rem;
      text-decoration: none; white-space: nowrap; border-block: 3px solid transparent; }
    .tabs a:hover { border-bottom-color: var(--line); }
    .tabs a:focus-visible { outline-offset: -4px; }
    .tabs [aria-current] { color: var(--ink); font-weight: 650; border-bottom-color: var(--accent); }
    .pager { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin: 0 0 1rem; }
    .pager > :last-child:not(:first-child) { margin-inline-start: auto; }
    details { margin: 0 0 1rem; padding: 0 1rem; background: var(--surface);
      border: var(--border) solid var(--line); border-radius: var(--radius); }
    .card details { background: var(--raised); }
    summary { margin: 0 -1rem; padding: .5rem 1rem; min-height: 2.5rem; cursor: pointer;
      font-weight: 600; }
    details[open] > summary { margin-bottom: .5rem; border-bottom: var(--border) solid var(--line); }
    details > :last-child:not(summary) { margin-bottom: 1rem; }
    body.field summary { min-height: 3rem; padding-block: .75rem; }
    """

  /// Buttons and forms.
  static let controls = """
    .button, button { display: inline-flex; align-items: center; justify-content: center; gap: .5rem;
      min-height: 2.5rem; padding: .375rem 1rem; font: inherit; font-weight: 600; line-height: 1.25;
      color: var(--accent); background: var(--surface); border: 2px solid var(--accent);
      border-radius: var(--radius); text-decoration: none; text-align: center; cursor: pointer;
      touch-action: manipulation; }
    .button:hover, button:hover { background: var(--accent-soft); }
    .button:active, button:active { transform: translateY(1px); }
    .button.primary { background: var(--accent); color: var(--on-accent); }
    .button.primary:hover { background: var(--ink); border-color: var(--ink); color: var(--surface); }
    .button.danger { color: var(--bad); border-color: var(--bad); }
    .button.danger:hover { background: var(--bad-soft); }
    .button.danger.primary { background: var(--bad); color: var(--surface); }
    .button.quiet { border-color: transparent; background: transparent; text-decoration: underline;
      text-underline-offset: .2em; }
    .button.quiet:hover { background: var(--accent-soft); }
    .button:disabled, button:disabled, .button[aria-disabled="true"] { color: var(--soft);
      background: var(--ground); border: 2px dashed var(--edge); cursor: not-allowed;
      text-decoration: none; transform: none; }
    .actions { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: 0 0 1rem; }
    .actions form { display: contents; }
    .fields { display: grid; gap: 1rem; max-width: 40rem; margin: 0 0 1rem; }
    .split .fields { max-width: none; }
    .fields > *, fieldset > * { min-width: 0; }
    .fields label, fieldset label { display: block; font-weight: 600; overflow-wrap: anywhere; }
    label > :is(input, textarea, select) { font-weight: 400; }
    label:has(> input:is([type=checkbox], [type=radio])) { display: flex; align-items: baseline; }
    .fields > :is(.hint, .field-error) { margin: -.75rem 0 0; }
    .fields > .actions { margin-bottom: 0; }
    .fields fieldset label { font-weight: 400; }
    fieldset { margin: 0; padding: .75rem 1rem 1rem; border: var(--border) solid var(--line);
      border-radius: var(--radius); }
    fieldset.people { max-height: 15rem; overflow-y: auto; }
    legend { padding: 0 .375rem; font-weight: 600; }
    input, textarea, select { font: inherit; color: var(--ink); background: var(--surface);
      border: 2px solid var(--edge); border-radius: var(--radius); padding: .375rem .625rem;
      min-height: 2.5rem; max-width: 100%; accent-color: var(--accent); }
    .fields input, .fields textarea, .fields select { display: block; width: 100%;
      margin-top: .25rem; }
    textarea { min-height: 7rem; line-height: 1.5; resize: vertical; }
    .fields input:is([type=checkbox], [type=radio]), input:is([type=checkbox], [type=radio]) {
      display: inline-block; flex: none; width: 1.25rem; height: 1.25rem; min-height: 0;
      margin: 0 .5rem 0 0; vertical-align: -.2em; translate: 0 .2em; }
    input[type=file] { padding: .5rem; }
    input[type=hidden] { display: none; }
    :is(input, textarea, select):disabled { color: var(--soft); background: var(--ground);
      border-style: dashed; }
    [aria-invalid="true"] { border-color: var(--bad); border-width: 3px; }
    ::placeholder { color: var(--soft); opacity: 1; font-style: italic; }
    .hint { display: block; margin: .25rem 0 0; color: var(--soft); font-size: .9375em;
      font-weight: 400; }
    .field-error { display: block; margin: .25rem 0 0; color: var(--bad); font-weight: 600; }
    .field-error::before { content: "✕ "; content: "✕ " / ""; }
    body.field :is(.button, button, input, select, .tabs a) { min-height: 3rem; }
    body.field :is(.button, button) { padding: .5rem 1.25rem; }
    body.field input:is([type=checkbox], [type=radio]) { width: 1.75rem; height: 1.75rem;
      min-height: 0; vertical-align: -.4em; }
    body.field label:has(> input:is([type=checkbox], [type=radio])) { padding: .625rem 0;
      min-height: 3rem; }
    """
}
