import FieldUnit
import Web

extension Asset {
  /// The style of the sky's page. What a satellite's state is shows in fill, stroke and ring, and not in a
  /// colour alone.
  static let skyStyle = Asset(
    path: "/assets/sky.css", mediaType: "text/css; charset=utf-8",
    text: """
      .sky { display: grid; gap: 1rem; }
      @media (min-width: 60rem) { .sky { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        align-items: start; } }
      .sky > .card { margin: 0; }
      .sky-plot { display: block; width: 100%; max-width: 34rem; margin: 0 auto; }
      :is(.sky-plot, .sky-bars, .sky-sign) { overflow: visible; }
      :is(.sky-plot, .sky-bars) text { fill: var(--ink); font: inherit; font-size: 8px;
        font-weight: 600; }
      .sky-plot text { paint-order: stroke; stroke: var(--surface); stroke-width: 2.5px; }
      .sky-plot .before { text-anchor: end; }
      .sky-plot .ring, .sky-bars .ring { fill: none; stroke: var(--edge); stroke-width: .6; }
      .sky-plot .scale { fill: var(--soft); font-size: 7px; font-weight: 400; }
      .sky-plot .direction { font-size: 10px; text-anchor: middle; }
      .sat :is(circle, path) { stroke: var(--accent); stroke-width: 1.4; fill: var(--surface); }
      .sat-used :is(circle, path) { fill: var(--accent); }
      .sat-named :is(circle, path) { stroke: var(--edge); stroke-width: 1; }
      .sat-expected :is(circle, path) { fill: none; stroke: var(--edge); stroke-width: 1; }
      .sat-expected .halo { stroke: var(--ink); stroke-dasharray: 2 2; }
      .sky-plot .sat-expected text { font-weight: 400; fill: var(--soft); }
      .sky-sign { width: 1.25rem; height: 1.25rem; vertical-align: -.25rem; }
      .sky-key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; }
      .sky-key li { margin: 0; }
      .sky-signals { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
      .sky-signals figure { margin: 0; max-width: 100%; }
      .sky-signals figcaption { font-weight: 600; }
      .sky-bars { display: block; max-width: 100%; height: auto; }
      .sky-bars text { text-anchor: middle; font-size: 8.5px; }
      .bar rect { fill: var(--surface); stroke: var(--accent); stroke-width: 1.4; }
      .bar-used rect { fill: var(--accent); }
      .sky-table { overflow-x: auto; }
      .sky-table table.list td, .sky-table table.list th { padding-inline: .5rem; }
      """)
}
