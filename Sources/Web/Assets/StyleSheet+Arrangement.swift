extension StyleSheet {
  /// How the parts of a page stand to each other: headings with their actions, filters, the large
  /// buttons of a start page, lists of checks, and drawings of places.
  static let arrangement = """
    .heading { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem;
      margin: 0 0 1rem; }
    .heading > * { margin: 0; min-width: 0; }
    .heading > .actions { margin-inline-start: auto; }
    .filter { display: flex; flex-wrap: wrap; align-items: end; gap: .5rem 1rem; margin: 0 0 1rem; }
    .filter label { display: grid; gap: .25rem; font-weight: 600; min-width: 0; max-width: 16rem;
      grid-template-columns: minmax(0, 1fr); }
    .filter label > * { font-weight: 400; }
    .way { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: 0 0 .75rem; }
    .way .keys { margin-inline-start: auto; }
    @media (pointer: coarse) { .keys { display: none; } }
    /* What a list is filtered by stands in one line at a desk: the rows are what people came for. */
    @media (min-width: 75rem) {
      body.office .filter:has(> label ~ label ~ label ~ label) label { flex: 1 1 7rem; max-width: 11rem; }
    }
    body.field .filter label { flex: 1 1 8rem; max-width: none; }
    @media (max-width: 40rem) { .filter label { flex: 1 1 9rem; max-width: none; } }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .5rem;
      margin: 0 0 1rem; }
    .tiles .button { display: flex; justify-content: space-between; min-height: 4rem; }
    a.task { display: grid; gap: .25rem; justify-items: start; grid-template-columns: minmax(0, 1fr);
      overflow-wrap: anywhere; }
    a.task .muted { display: flex; flex-wrap: wrap; gap: 0 1rem; }
    .actions form { display: contents; }
    .checks { margin: 0; padding: 0; list-style: none; }
    .checks > .light { display: flex; font-weight: 400; }
    .photo-card > h2 { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; }
    .photo-card > h2 > * { font-size: 1rem; }
    .samples { display: grid; gap: .25rem; margin: 0 0 .75rem; font-weight: 600; }
    .map .parcel { fill: var(--good-soft); stroke: var(--good); stroke-width: 2;
      fill-rule: evenodd; }
    .map .track { fill: none; stroke: var(--accent); stroke-width: 2; stroke-dasharray: 5 3; }
    .map .cone { fill: var(--accent); fill-opacity: .18; stroke: var(--accent); }
    .map .uncertainty { fill: none; stroke: var(--ink); stroke-dasharray: 2 2; }
    .map .place { fill: var(--bad); stroke: var(--surface); }
    .map :is(.scale, .north) { fill: none; stroke: var(--ink); stroke-width: 2; }
    .turn-90 { transform: rotate(90deg); } .turn-180 { transform: rotate(180deg); }
    .turn-270 { transform: rotate(270deg); }
    .turn-90, .turn-270 { aspect-ratio: 1; object-fit: contain; }
    .map text { fill: var(--ink); font-size: 13px; paint-order: stroke; stroke: var(--surface);
      stroke-width: 3px; }
    """
}
