// Pieces that the pages of both sides are made of.

extension HTML {
  /// Text, escaped.
  public static func text(_ text: String) -> HTML { HTML(escaping: text) }

  /// Names with their values; those without a value are left out.
  public static func facts(_ facts: [(String, HTML?)]) -> HTML {
    let rows = facts.compactMap { name, value in
      value.map { "<dt>\(name)</dt><dd>\($0)</dd>" as HTML }
    }
    return "<dl class=\"facts\">\(rows)</dl>"
  }
}
