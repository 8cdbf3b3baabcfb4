import Foundation

/// The two typefaces that a PDF embeds. They must hold the characters of the countries that use it,
/// which the fonts that every PDF reader brings along do not.
public struct PDFFonts: Hashable, Sendable {
  /// A TrueType file for the text.
  public var regularPath: String
  /// A TrueType file for headings.
  public var boldPath: String

  /// Two TrueType files.
  public init(regularPath: String, boldPath: String) {
    self.regularPath = regularPath
    self.boldPath = boldPath
  }

  /// DejaVu Sans where Debian's fonts-dejavu-core puts it; nil when it is not installed.
  public static func installed() -> PDFFonts? {
    let folder = "/usr/share/fonts/truetype/dejavu"
    let fonts = PDFFonts(
      regularPath: "\(folder)/DejaVuSans.ttf", boldPath: "\(folder)/DejaVuSans-Bold.ttf")
    return fonts.missingPath == nil ? fonts : nil
  }

  /// The first of the two that cannot be read; nil when both can.
  var missingPath: String? {
    [regularPath, boldPath].first { access($0, R_OK) != 0 }
  }
}
