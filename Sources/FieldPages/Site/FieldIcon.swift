import FieldUnit
import Web

/// The drawings of the field unit's pages, each of one line in the colour of the text. They stand
/// beside words: whoever cannot see them misses nothing.
enum FieldIcon: String, CaseIterable, Sendable {
  case home
  case task
  case camera
  case map
  case outbox
  case photo
  case track
  case note

  /// The line of the drawing on a square of 24 by 24, as the `d` of an SVG path.
  private var line: String {
    switch self {
    case .home: "M3 11.5 12 4l9 7.5M6 9.5V20h12V9.5M10 20v-6h4v6"
    case .task:
      "M3.5 6 5 7.5 8 4.5M3.5 12.5 5 14 8 11M3.5 19 5 20.5 8 17.5M12 6h9M12 12.5h9M12 19h9"
    case .camera:
      "M3 8h4l2-3h6l2 3h4v12H3ZM12 9.5a4 4 0 1 0 0 8 4 4 0 1 0 0-8Z"
    case .map: "M3 6.5 9 4l6 2.5L21 4v13.5L15 20l-6-2.5L3 20ZM9 4v13.5M15 6.5V20"
    case .outbox: "M3 14v6h18v-6h-5l-1.5 3h-5L8 14ZM12 12V3M8 7l4-4 4 4"
    case .photo: "M3 5h18v14H3ZM3 16.5l5.5-5.5 4.5 4.5 3-3 5 5M15.5 9h.01"
    case .track: "M4 20c0-7 8-3 8-9s8-1 8-7M4 18.5v3M20 2.5v3"
    case .note: "M5 3h10l4 4v14H5ZM15 3v4h4M8.5 12h7M8.5 16h7"
    }
  }

  /// The drawing as a piece of a page.
  var html: HTML {
    """
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="\(line)"/></svg>
    """
  }
}
