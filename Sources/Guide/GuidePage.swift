/// A page of the guide: the text for one kind of reader, or about one thing. Its English text is
/// `docs/NAME.md`, the Czech one `docs/cs/NAME.md`.
package enum GuidePage: String, Sendable, CaseIterable {
  /// The text for inspectors, about the field unit.
  case inspector
  /// The text for officers, about the office's pages.
  case officer
  /// The text for administrators of an office, its machine and its agencies.
  case administrator
  /// The rules that an agency sets.
  case policy
  /// The settings of a field unit.
  case settings

  /// The address of the page in both programs.
  package var path: String { "/help/\(rawValue)" }

  /// The name of the page's file, as other pages of the guide link to it.
  var fileName: String { "\(rawValue).md" }
}
