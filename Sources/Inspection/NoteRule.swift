/// The rule for the length of a note.
public enum NoteRule {
  /// The longest note that an inspector may write, in characters: two pages.
  public static let maximumCharacters = 5_000
  /// The longest note that an office takes, in bytes of UTF-8: more than a field unit has ever let
  /// an inspector write.
  public static let maximumBytes = 65_536

  /// Refuses a note that is too long.
  /// - Throws: `InspectionError.noteTooLong` if the text has more than `maximumCharacters` characters.
  public static func require(_ text: String) throws(InspectionError) {
    let characters = text.count
    if characters > maximumCharacters {
      throw .noteTooLong(characters: characters, limit: maximumCharacters)
    }
  }
}
