import FieldUnit
import Web

/// The script that shows on the page what only the browser knows: if it has a camera and motion
/// sensors. It sends nothing, and asks for no permission before the inspector presses a button for
/// it.
enum SensesScript {
  static let asset = Asset(
    file: "/assets/senses.js", [PackageResources.senses_js])
}
