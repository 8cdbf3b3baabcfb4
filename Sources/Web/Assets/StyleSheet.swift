/// The style sheet of every page, put together from its parts.
///
/// An instrument, not a website: it is read in the sun and at a desk, with gloves and with keys. One
/// family of type with tabular figures, lengths in steps of 4 px, one accent, and every state told
/// by sign, word and colour together.
enum StyleSheet {
  static let text = [
    colours, ground, bar, blocks, controls, data, instruments, arrangement, desk, foot, media,
  ].joined(separator: "\n")
}
