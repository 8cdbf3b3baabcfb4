/// How long a note may be.
public enum NoteRule {
  /// What an inspector writes, characters: two pages.
  public static let maximumCharacters = 5_000
  /// What an office takes, bytes of UTF-8: more than any field unit has ever let anyone write on a page.
  public static let maximumBytes = 65_536

  /// - Throws: `InspectionError.noteTooLong`.
  public static func require(_ text: String) throws(InspectionError) {
    let characters = text.count
    if characters > maximumCharacters {
      throw .noteTooLong(characters: characters, limit: maximumCharacters)
    }
  }
}
