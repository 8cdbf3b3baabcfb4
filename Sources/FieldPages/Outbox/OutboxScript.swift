import FieldUnit
import Web

/// The script of the outbox: writes the progress of each file into the row of its entry.
enum OutboxScript {
  static let asset = Asset(file: "/assets/outbox.js", [PackageResources.outbox_js])
}
