/// The style sheet of every page. Its colours are defined here, and all else in `Files/standpoint.css`.
///
/// The pages are an instrument, not a website: they are read in the sun and at a desk, and used
/// with gloves and with keys. They have one family of type with tabular figures, lengths in steps
/// of 4 px, one accent, and every state told by sign, word and colour together.
enum StyleSheet {
  /// All colours of the pages: light, dark, and both again with more contrast; light with more
  /// contrast is also the theme for the sun. A theme that was chosen is an attribute of `html`.
  static let colours = """
    :root { --radius: 4px; color-scheme: light dark; \(light) }
    @media (prefers-color-scheme: dark) {
      :root:not([data-theme]) { \(dark) }
    }
    :root[data-theme="light"] { color-scheme: light; }
    :root[data-theme="dark"] { color-scheme: dark; \(dark) }
    @media (prefers-contrast: more) {
      :root, :root[data-theme="light"] { \(sunlight) }
      :root[data-theme="dark"] { \(night) }
    }
    @media (prefers-contrast: more) and (prefers-color-scheme: dark) {
      :root:not([data-theme]) { \(night) }
    }
    :root[data-theme="sunlight"] { color-scheme: light; \(sunlight) }
    """

  static let light = """
    --ground: #edf0f2; --surface: #fff; --raised: #f6f8f9; --ink: #0e171d; --soft: #44525b;
    --line: #c5ced4; --edge: #64727b; --accent: #0b4f6c; --on-accent: #fff; --accent-soft: #dfedf3;
    --bar: #0d2733; --on-bar: #fff; --on-bar-soft: #bdd3de;
    --good: #0f5d2c; --good-soft: #dff2e4; --warn: #714400; --warn-soft: #ffefc9;
    --bad: #98121c; --bad-soft: #fde4e4; --focus: #b0004e; --border: 1px;
    """

  static let dark = """
    --ground: #0b1216; --surface: #141e24; --raised: #1b272e; --ink: #eef3f6; --soft: #abbac3;
    --line: #33434c; --edge: #8497a2; --accent: #71c7ec; --on-accent: #04202d; --accent-soft: #123544;
    --bar: #060d11; --on-bar: #fff; --on-bar-soft: #a9c3d0;
    --good: #7edc99; --good-soft: #0f3019; --warn: #f4c264; --warn-soft: #38290a;
    --bad: #ff9e9a; --bad-soft: #421417; --focus: #ff8fbd; --border: 1px;
    """

  static let sunlight = """
    --ground: #fff; --surface: #fff; --raised: #fff; --ink: #000; --soft: #1c1c1c;
    --line: #000; --edge: #000; --accent: #002f45; --on-accent: #fff; --accent-soft: #fff;
    --bar: #000; --on-bar: #fff; --on-bar-soft: #fff;
    --good: #00400f; --good-soft: #fff; --warn: #4d2c00; --warn-soft: #fff;
    --bad: #7a0008; --bad-soft: #fff; --focus: #c00052; --border: 2px;
    """

  static let night = """
    --ground: #000; --surface: #000; --raised: #000; --ink: #fff; --soft: #eee;
    --line: #fff; --edge: #fff; --accent: #9fdcff; --on-accent: #000; --accent-soft: #000;
    --bar: #000; --on-bar: #fff; --on-bar-soft: #fff;
    --good: #9dffb6; --good-soft: #000; --warn: #ffdc8a; --warn-soft: #000;
    --bad: #ffbdba; --bad-soft: #000; --focus: #ffb0d0; --border: 2px;
    """

  /// The sets of colours by name, for tests that measure their contrast.
  static let themes = ["light": light, "dark": dark, "sunlight": sunlight, "night": night]
}
