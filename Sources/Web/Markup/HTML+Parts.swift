// Pieces of HTML for the pages of field unit and office.

extension HTML {
  /// Returns a text, escaped.
  public static func text(_ text: String) -> HTML { HTML(escaping: text) }

  /// Returns a list of names with their values; a name without a value is left out.
  public static func facts(_ facts: [(String, HTML?)]) -> HTML {
    let rows = facts.compactMap { name, value in
      value.map { "<dt>\(name)</dt><dd>\($0)</dd>" as HTML }
    }
    return "<dl class=\"facts\">\(rows)</dl>"
  }
}
