/// The rule for names of files below a side's own folder.
package enum StoredName {
  /// Returns true for a name that stays below the folder: 1 to 199 ASCII letters, digits, `-`, `.`,
  /// `_` and slashes, with no part hidden or empty.
  package static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count < 200
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
          || [0x2D, 0x2E, 0x2F, 0x5F].contains($0)
      }
      && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && !$0.hasPrefix(".")
      }
  }
}
