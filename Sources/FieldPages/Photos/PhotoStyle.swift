import FieldUnit
import Web

/// How photos look on the field unit: rows of a list, one large with its numbers, and the whole screen.
enum PhotoStyle {
  static let asset = Asset(
    path: "/assets/photos.css", mediaType: "text/css; charset=utf-8",
    text: """
      .photo-rows { margin: 0 0 1rem; padding: 0; list-style: none; }
      /* A row that is out of sight costs nothing; until it was seen it counts as high as most are. */
      .photo-row { content-visibility: auto; contain-intrinsic-size: auto 9.5rem; margin: 0 0 .5rem;
        background: var(--surface); border: var(--border) solid var(--line);
        border-radius: var(--radius); display: flex; flex-wrap: wrap; align-items: center;
        gap: 0 .75rem; scroll-margin-top: 4rem; }
      .photo-row:target { border-color: var(--accent); outline: 2px solid var(--accent); }
      .photo-row > a { flex: 1 1 17rem; display: flex; align-items: center; gap: .75rem; min-width: 0;
        padding: .5rem; color: inherit; text-decoration: none; }
      .photo-row > a:hover strong, .photo > a:hover strong { text-decoration: underline; }
      .photo-row > a:focus-visible { outline-offset: -4px; }
      .preview { flex: none; display: block; width: 8rem; height: 6rem; object-fit: cover;
        background: var(--raised); border-radius: 2px; }
      .preview.large { width: 20rem; max-width: 100%; height: auto; aspect-ratio: 4 / 3; }
      .preview.is-gone { display: grid; place-content: center; font-size: 2rem; color: var(--soft);
        border: 2px dashed var(--line); }
      .photo-words { display: grid; gap: .125rem; min-width: 0; overflow-wrap: anywhere;
        line-height: 1.3125; }
      .row-actions { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0; padding: 0 .5rem .5rem; }
      .row-actions .button { min-height: 3rem; }
      .delivery { font-weight: 600; color: var(--soft); }
      .delivery.is-done { color: var(--good); }
      .delivery.is-sent { color: var(--warn); }
      .delivery.is-lost { color: var(--bad); }
      body.field .photos { grid-template-columns: repeat(auto-fill, minmax(min(100%, 10rem), 1fr)); }
      .photos > .photo { display: flex; flex-direction: column; scroll-margin-top: 4rem; }
      .photos > .photo > a { flex: 1 1 auto; }
      .photos > .photo .preview { width: 100%; height: auto; aspect-ratio: 4 / 3; border-radius: 0; }
      .photos > .photo .photo-words { padding: .5rem .75rem; }
      .photos > .photo > .button { margin: 0 .25rem .25rem; min-height: 3rem; }

      /* The numbers on a picture are white on black, whatever the theme and the picture are. */
      .over { position: relative; }
      figure.over { display: flex; justify-content: center; min-height: 3rem; }
      figure.over:has(.overlay[open]) { min-height: 13rem; align-items: center; }
      figure.over > a { display: block; min-width: 0; }
      figure.over img { max-height: 80vh; width: auto; }
      .overlay { position: absolute; top: 0; left: 0; margin: 0; padding: 0 .625rem; color: #fff;
        background: rgb(0 0 0 / .78); border: 0; border-radius: 0 0 var(--radius) 0; max-width: 100%;
        font-size: .8125rem; line-height: 1.25; text-align: start; }
      .overlay > summary { margin: 0 -.625rem; padding: .25rem .625rem; color: #fff; }
      body.field .overlay > summary { display: flex; align-items: center; min-height: 3rem;
        padding-block: .25rem; }
      body.field .overlay > summary::after { content: "▴"; content: "▴" / ""; margin-inline-start: .5rem; }
      body.field .overlay:not([open]) > summary::after { content: "▾"; content: "▾" / ""; }
      body.field .overlay[open] > summary { min-height: 3rem; margin-bottom: 0; border-bottom: 0; }
      .overlay > .facts { grid-template-columns: max-content minmax(0, 1fr); gap: 0 .625rem;
        margin: 0 0 .5rem; }
      .overlay .facts dt, .overlay .facts dd { padding-block: 0; color: #fff; }
      .overlay :focus-visible, .full-view :focus-visible { outline-color: #fff; outline-offset: -3px; }
      .photo-actions { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); }
      .beside .button { min-height: 3.5rem; flex: 1 1 8rem; }

      /* The whole screen: the page's own parts step aside, what says "demonstration" stays. */
      body:has(.full-view) { display: grid; grid-template-rows: minmax(0, 1fr); height: 100vh;
        height: 100dvh; padding: 0; overflow: hidden; background: #000; }
      body:has(> aside):has(.full-view) { grid-template-rows: auto minmax(0, 1fr); }
      body:has(.full-view) > :is(.bar, .foot) { display: none; }
      body.field:has(.full-view) main { width: 100%; max-width: none; margin: 0; padding: 0; min-height: 0; }
      .full-view { display: grid; place-items: center; height: 100%;
        color: #fff; background: #000; touch-action: pan-y pinch-zoom;
        grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
      .full-view > img { grid-area: 1 / 1; max-width: 100%; max-height: 100%; width: 100%; height: 100%;
        object-fit: contain; }
      .full-view .overlay { z-index: 1; }
      .turn { position: absolute; top: 50%; z-index: 1; display: grid; place-content: center; width: 4rem;
        height: 6rem; margin-top: -3rem; color: #fff; background: rgb(0 0 0 / .6); font-size: 2.5rem;
        text-decoration: none; border-radius: var(--radius); }
      .turn.prev { left: 0; } .turn.next { right: 0; }
      .full-foot { position: absolute; right: .5rem; bottom: calc(.5rem + env(safe-area-inset-bottom));
        z-index: 1; display: flex; align-items: center; gap: .75rem; margin: 0; padding: .25rem .25rem .25rem .75rem;
        background: rgb(0 0 0 / .78); border-radius: var(--radius); }
      .full-foot .button { min-height: 3rem; color: #fff; background: #000; border-color: #fff; }

      /* Tasks: where one stands, and the parcel as a drawing. */
      .way-to { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; }
      a.task .is-overdue { color: var(--bad); font-weight: 650; }
      .facts .is-overdue { color: var(--bad); font-weight: 650; }
      .map .own { fill: var(--accent); stroke: var(--surface); stroke-width: 2; }
      html:has(form[data-pull]) { overscroll-behavior-y: contain; }
      form[data-pull] { display: contents; }
      form[data-pull] > .button { margin-inline-start: auto; }
      form[data-pull] > span { flex: 1 0 100%; }
      form[data-pull].is-pulled .button { background: var(--accent-soft); outline: 3px solid var(--accent); }
      body.field .filter .choice { flex: 1 1 12rem; font-weight: 400; }
      .needs { margin: 0; padding: 0; list-style: none; }
      .needs > li + li { margin-top: 0; }
      .sum { font-weight: 600; }
      """)
}
