import Foundation

/// The two typefaces that a PDF embeds. They must have the characters of the countries that use the
/// document; the standard fonts of PDF readers lack some of them.
public struct PDFFonts: Hashable, Sendable {
  /// The path of a TrueType file for the text.
  public var regularPath: String
  /// The path of a TrueType file for headings.
  public var boldPath: String

  /// Creates a pair of typefaces from the paths of two TrueType files.
  public init(regularPath: String, boldPath: String) {
    self.regularPath = regularPath
    self.boldPath = boldPath
  }

  /// Returns DejaVu Sans at the place where Debian's fonts-dejavu-core installs it; nil if it is
  /// not installed.
  public static func installed() -> PDFFonts? {
    let folder = "/usr/share/fonts/truetype/dejavu"
    let fonts = PDFFonts(
      regularPath: "\(folder)/DejaVuSans.ttf", boldPath: "\(folder)/DejaVuSans-Bold.ttf")
    return fonts.missingPath == nil ? fonts : nil
  }

  /// Returns the same typefaces, for a document that cannot do without.
  /// - Throws: `PDFError.fontMissing`.
  public static func required() throws(PDFError) -> PDFFonts {
    guard let fonts = installed() else { throw .fontMissing(path: "DejaVu Sans") }
    return fonts
  }

  /// The path of the first of the two files that cannot be read; nil if both can.
  package var missingPath: String? {
    [regularPath, boldPath].first { access($0, R_OK) != 0 }
  }
}
