import Inspection

/// The colour of a task's state on the maps of other programs: the same in KML and in a GeoPackage.
struct StateColour {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init(of state: TaskState) {
    (red, green, blue) =
      switch state {
      case .new: (176, 176, 176)
      case .open: (32, 112, 208)
      case .returned: (224, 128, 0)
      case .dataProvided: (0, 160, 192)
      case .accepted: (48, 128, 48)
      case .declined: (192, 32, 32)
      case .withdrawn: (128, 128, 128)
      }
  }

  /// The colour as KML has it: blue, green, red, each as two hexadecimal digits. The alpha goes
  /// before it.
  var kml: String {
    [blue, green, red].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The colour as QGIS has it: `red,green,blue`. The alpha goes after it.
  var qgis: String { "\(red),\(green),\(blue)" }
}
