/// A reason why a PDF could not be made. Each reason has a stable code.
public enum PDFError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The typeface is not installed, or cannot be read.
  case fontMissing(path: String)
  /// The file is no TrueType font that can be embedded.
  case fontUnusable(path: String, status: UInt)
  /// The file could not be written.
  case notWritten(path: String, reason: String)
  /// The sealed record of a photo could not be read. Without it the PDF would lack evidence unseen.
  case recordUnreadable(photo: String, reason: String)
  /// The caller cancelled the export; nothing of the PDF is left.
  case cancelled
  /// libharu refused another step, with its own status (`hpdf_error.h`).
  case library(step: String, status: UInt, detail: UInt)

  /// A stable word for programs.
  public var code: String {
    switch self {
    case .fontMissing: "pdf-font-missing"
    case .fontUnusable: "pdf-font-unusable"
    case .notWritten: "pdf-not-written"
    case .recordUnreadable: "pdf-record-unreadable"
    case .cancelled: "pdf-cancelled"
    case .library: "pdf-library"
    }
  }

  /// The message for people: what happened, and what to do next.
  public var description: String {
    switch self {
    case .fontMissing(let path):
      "the typeface \(path) is not there, and a PDF must embed it:"
        + " install the package fonts-dejavu-core"
    case .fontUnusable(let path, let status):
      "\(path) is no usable TrueType font (libharu \(Self.hexadecimal(status))):"
        + " install the package fonts-dejavu-core again"
    case .notWritten(let path, let reason): "\(path) cannot be written: \(reason)"
    case .recordUnreadable(let photo, let reason):
      "the sealed record of photo \(photo) cannot be read: \(reason); nothing of the PDF was written:"
        + " try again, then run `standpoint office check` or `standpoint verify`"
    case .cancelled: "the PDF was cancelled; nothing of it was written"
    case .library(let step, let status, let detail):
      "the PDF library failed at \(step) (libharu \(Self.hexadecimal(status)), detail \(detail)):"
        + " export again, and report these numbers if it stays"
    }
  }

  private static func hexadecimal(_ status: UInt) -> String {
    "0x" + String(status, radix: 16, uppercase: true)
  }
}
