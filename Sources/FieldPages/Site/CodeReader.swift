import Web

/// The script and the style of the page that reads a QR code.
enum CodeReader {
  static let script = Asset(
    file: "/assets/code-reader.js", [PackageResources.code_reader_js])
  static let style = Asset(
    file: "/assets/code-reader.css", [PackageResources.code_reader_css])
}
