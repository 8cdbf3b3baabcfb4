import FieldUnit
import Web

/// The camera page: the picture as large as the screen lets it, the shutter under the thumb.
enum CameraStyle {
  static let asset = Asset(
    path: "/assets/camera.css", mediaType: "text/css; charset=utf-8",
    text: """
      .camera { display: grid; gap: .5rem; grid-template-columns: minmax(0, 1fr);
        padding-bottom: 6.5rem; }
      .camera > * { margin: 0; min-width: 0; }
      .camera h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
      .camera [hidden] { display: none !important; }
      .camera-stage { position: relative; overflow: hidden; background: #000; color: #fff;
        border-radius: var(--radius); height: min(62dvh, 133vw); }
      .camera-stage > :is(video, img), .camera-over { position: absolute; inset: 0; width: 100%;
        height: 100%; object-fit: contain; }
      .camera-over { overflow: hidden; pointer-events: none; }
      .camera-horizon { position: absolute; left: -50%; right: -50%; top: calc(50% - 1.5px); height: 3px;
        background: #fff; outline: 1px solid #000; }
      .camera-horizon.is-level { background: #35e06f; height: 5px; }
      .camera-centre, .camera-target { position: absolute; left: 50%; top: 50%; width: 8rem; height: 6rem;
        margin: -3rem 0 0 -4rem; border-radius: var(--radius); }
      .camera-centre { border: 2px dashed rgb(255 255 255 / .8); outline: 1px dashed rgb(0 0 0 / .8); }
      .camera-target { border: 4px solid #ffc61a; outline: 1px solid #000; }
      .camera-target.is-matching { border-color: #35e06f; border-style: double; border-width: 8px; }
      .camera-arrow { position: absolute; right: .75rem; bottom: .75rem; width: 4.5rem; height: 4.5rem; }
      .camera-arrow svg { width: 100%; height: 100%; fill: #ffc61a; stroke: #000; stroke-width: 2; }
      .camera-stage > .camera-shot { background: #000; }
      .camera-stage:has(.camera-shot:not([hidden])) .camera-over { display: none; }
      .camera-glance { position: absolute; left: 0; right: 0; top: 0; display: grid; gap: .125rem;
        padding: .375rem .75rem; background: rgb(0 0 0 / .74); color: #fff; font-size: .9375rem;
        line-height: 1.25; border-inline-start: .5rem solid #ff8f8f; overflow-wrap: anywhere; pointer-events: none; }
      .camera-glance > strong { font-size: 1.25rem; }
      .camera-glance > strong::before { content: "✗ "; }
      .camera-glance.is-still { border-color: #35e06f; }
      .camera-glance.is-still > strong::before { content: "✓ "; }
      .camera-glance.is-settling { border-color: #ffc61a; }
      .camera-glance.is-settling > strong::before { content: "… "; }
      .camera-glance.is-outside > [data-part=way] { color: #ffd75e; font-weight: 700; font-size: 1.0625rem; }
      .camera-count { position: absolute; inset: 0; display: grid; place-content: center;
        font-size: min(45vmin, 16rem); font-weight: 700; line-height: 1; pointer-events: none;
        font-variant-numeric: tabular-nums; text-shadow: 0 0 .15em #000, 0 0 .05em #000; }
      .camera-side, .camera-live { display: grid; gap: .5rem; grid-template-columns: minmax(0, 1fr); }
      .camera-side > * { margin: 0; min-width: 0; }
      .camera .facts { grid-template-columns: minmax(0, 1fr) minmax(6.5rem, 1.2fr); gap: .125rem .75rem; }
      .camera-live > *, .camera-panels > *, .camera-news > * { margin: 0; }
      .camera .gate { min-height: 0; padding: .5rem .75rem; border-width: 4px; font-size: 1rem; gap: .125rem; }
      .camera .gate::before { font-size: 1.25rem; }
      .camera .gate > strong:first-child { font-size: 1.5rem; letter-spacing: 0; }
      .camera-news, .camera-panels { display: grid; gap: .5rem; grid-template-columns: minmax(0, 1fr); }
      .camera-news:empty { display: none; }
      /* What has come of the shutter stands above it, wherever the page is scrolled to. */
      .camera-news { position: fixed; z-index: 4; left: .5rem; right: .5rem; bottom: 6.75rem; }
      .camera:has(.camera-bar > .notice) .camera-news { position: static; }
      /* The photo above it is to be seen: its answers stand in one row. */
      .camera .camera-news .actions { display: flex; flex-flow: row nowrap; align-items: center; gap: .5rem; margin: 0; }
      .camera .camera-news .actions > * { flex: 1 1 auto; width: auto; margin: 0; }
      .camera .camera-news .actions form > .button { width: 100%; }
      .camera .camera-news .actions .button { padding-inline: .5rem; min-width: 0; }
      .camera-stage:has(.camera-shot:not([hidden])) .camera-glance { display: none; }
      .camera h2 { font-size: 1rem; margin: 0 0 .25rem; }
      .camera .card { padding: .75rem; }
      .camera-way { font-size: 1.25rem; }
      .camera-bar { position: fixed; z-index: 5; left: 0; right: 0; bottom: 0; display: grid;
        grid-template-columns: 1fr auto 1fr; align-items: center; gap: .5rem;
        padding: .5rem max(.75rem, env(safe-area-inset-left))
          calc(.5rem + env(safe-area-inset-bottom)) max(.75rem, env(safe-area-inset-right));
        background: var(--surface); border-top: var(--border) solid var(--line); }
      .camera-bar > .notice { grid-column: 1 / -1; margin: 0; }
      .camera-bar > form { justify-self: start; }
      .camera-which { justify-self: end; min-width: 0; font-size: .875rem; }
      .camera-which select { display: block; max-width: 9rem; }
      .camera-shutter { grid-column: 2; width: 5rem; height: 5rem; padding: 0; border-radius: 50%;
        border: 6px solid var(--accent); background: var(--accent);
        box-shadow: inset 0 0 0 4px var(--surface); }
      .camera-shutter:disabled { border: 6px dashed var(--edge); background: var(--ground); }
      .camera-shutter.is-going { border-style: dotted; }
      .camera-earlier input[type=range] { padding: 0; min-height: 3rem; }
      /* There is one thing to do, and Close leads back: nothing else lies under the thumb. */
      @media (max-width: 40rem) { body.field:has(.camera-bar) .bar nav { display: none; } }
      @media (min-width: 60rem), (orientation: landscape) and (min-width: 36rem) {
        body.field:has(.camera-bar) .bar nav { display: none; }
        body.field:has(.camera-bar) { padding-inline-end: 7rem; }
        body.field main:has(.camera) { max-width: none; padding-block: .5rem; }
        .camera { grid-template-columns: minmax(0, 3fr) minmax(15rem, 2fr); align-items: start;
          padding-bottom: 0; }
        .camera > :is(h1, .camera-note, .card) { grid-column: 1 / -1; }
        .camera:not(:has(.camera-stage:not([hidden]))) { grid-template-columns: minmax(0, 1fr); }
        .camera-news { position: static; order: -1; }
        .camera-stage { position: sticky; top: .5rem; height: min(76dvh, 60vw); }
        .camera-bar { left: auto; top: 0; width: 7rem; padding: .5rem;
          padding-inline-end: max(.5rem, env(safe-area-inset-right));
          grid-template-columns: minmax(0, 1fr); grid-template-rows: 1fr auto 1fr;
          justify-items: center; border-top: 0; border-inline-start: var(--border) solid var(--line); }
        .camera-bar > form { grid-row: 3; justify-self: center; align-self: end; }
        .camera-bar > .notice { grid-row: 1; grid-column: 1; padding: .5rem; font-size: .875rem; }
        .camera-bar > .notice::before { display: none; }
        .camera-shutter { grid-column: 1; grid-row: 2; }
        .camera-which { grid-row: 1; align-self: start; justify-self: center; }
        .camera-which select { max-width: 6rem; }
      }
      @media (prefers-reduced-motion: no-preference) {
        .camera-target, .camera-arrow { transition: transform 80ms linear; }
      }
      @media print { .camera-bar, .camera-stage { display: none; } }
      """)
}
