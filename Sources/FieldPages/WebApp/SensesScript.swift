import FieldUnit
import Web

/// Says on the page itself what only the browser knows: whether it has a camera and motion sensors. It
/// sends nothing anywhere, and asks for nothing before somebody presses a button for it.
enum SensesScript {
  static let asset = Asset(
    file: "/assets/senses.js", [PackageResources.senses_js])
}
