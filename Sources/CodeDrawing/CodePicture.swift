import Exports
import Web

/// A QR Code as a drawing within a page: dark on light in every theme, because cameras look for
/// that.
package enum CodePicture {
  /// Draws a code as SVG.
  /// - Parameters:
  ///   - text: the text of the code.
  ///   - label: the description for people who do not see it.
  /// - Returns: nil if the text is too long for a code.
  package static func svg(_ text: String, label: String) -> HTML? {
    guard let code = QRCode(text) else { return nil }
    let margin = QRCode.quietModules
    var path = ""
    for y in 0..<code.side {
      var x = 0
      while x < code.side {
        guard code.isDark(x: x, y: y) else {
          x += 1
          continue
        }
        let start = x
        while code.isDark(x: x, y: y) { x += 1 }
        path += "M\(start + margin) \(y + margin)h\(x - start)v1h-\(x - start)z"
      }
    }
    let side = code.side + 2 * margin
    return """
      <svg class="qr" viewBox="0 0 \(side) \(side)" role="img" aria-label="\(label)" shape-rendering="crispEdges">\
      <rect width="\(side)" height="\(side)"/><path d="\(path)"/></svg>
      """
  }
}
