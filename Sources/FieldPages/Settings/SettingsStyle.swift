import FieldUnit
import Web

/// How the page of settings looks: a row for each, its default beside it, two columns where there is room.
enum SettingsStyle {
  static let asset = Asset(
    path: "/assets/settings.css", mediaType: "text/css; charset=utf-8", text: text)

  private static let text = """
    .groups { display: grid; gap: 0 1rem; align-items: start; }
    .groups > * { min-width: 0; }
    .settings { gap: 0; max-width: none; }
    .setting { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .25rem .75rem;
      align-items: end; padding-block: .75rem; border-top: var(--border) solid var(--line); }
    .setting > p { grid-column: 1 / -1; margin: 0; }
    .setting > .standard { align-self: end; min-height: 3rem; display: inline-flex;
      align-items: center; margin: 0; white-space: nowrap; }
    .setting .number { max-width: 10rem; }
    .settings > .actions { padding-top: .75rem; border-top: var(--border) solid var(--line); }
    .card .button[aria-pressed="true"] { background: var(--accent); color: var(--on-accent); }
    @media (max-width: 26rem) {
      .setting { grid-template-columns: minmax(0, 1fr); }
      .setting > .standard { justify-self: start; }
    }
    @media (min-width: 60rem) { .groups { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
    """
}
