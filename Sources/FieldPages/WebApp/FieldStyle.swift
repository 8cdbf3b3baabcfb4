import FieldUnit
import Web

/// What the field unit's pages need beside the library's style: lights, counters, the large buttons of
/// Home, and a navigation that fits under one thumb.
enum FieldStyle {
  static let asset = Asset(
    path: "/assets/field.css", mediaType: "text/css; charset=utf-8",
    text: """
      .lights { display: grid; gap: .5rem 1rem; margin: 0 0 .75rem; padding: 0; list-style: none;
        grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); }
      .lights:last-child { margin-bottom: 0; }
      div + .lights { margin-top: .5rem; }
      .lights > .light { display: flex; margin: 0; min-width: 0; align-items: baseline; }
      .lights > .light > span { min-width: 0; overflow-wrap: anywhere; }
      .lights > .light strong { color: var(--ink); }
      .lights > .light-bad .muted { color: var(--bad); font-weight: 600; }
      .lights code { overflow-wrap: anywhere; }
      .lights-first { grid-template-columns: minmax(0, 1fr); }
      .lights-first > .light:first-child { font-size: 1.25rem; }
      .counters { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .5rem;
        margin: 0; padding: 0; list-style: none; }
      .counters li { margin: 0; }
      .counters a { display: flex; flex-direction: column; align-items: center;
        justify-content: center; min-height: 4rem; padding: .25rem; color: inherit;
        text-align: center; text-decoration: none; overflow-wrap: anywhere;
        background: var(--raised); border: var(--border) solid var(--line);
        border-radius: var(--radius); }
      .counters a:hover { border-color: var(--accent); }
      .counters .number { font-size: 1.75rem; font-weight: 700; line-height: 1.25; }
      .home-tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); }
      .home-tiles .button { justify-content: center; font-size: 1.125rem; overflow-wrap: anywhere; }
      @media (min-width: 48em) {
        .home-tiles { grid-template-columns: repeat(4, minmax(0, 1fr)); }
      }
      .office-shown { overflow-wrap: anywhere; }
      .office-shown strong { display: block; font-size: 1.125rem; }
      .ways dt { font-weight: 600; }
      .ways dd { margin: 0 0 .5rem; }
      .said { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .875rem; }
      .not-running h1::before { content: "■ "; content: "■ " / ""; color: var(--bad); }
      /* Five words side by side under one thumb. */
      @media (max-width: 40em) {
        body.field .bar nav li { min-width: 0; }
        body.field .bar nav a { padding: 0 .125rem; font-size: clamp(.8125rem, 3.5vw, 1rem);
          min-width: 3rem; white-space: normal; text-align: center; overflow-wrap: anywhere; }
      }
      """)
}
