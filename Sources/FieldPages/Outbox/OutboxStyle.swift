import FieldUnit
import Web

/// The style of the outbox: one line an entry, with its progress along the lower edge.
enum OutboxStyle {
  static let asset = Asset(file: "/assets/outbox.css", [PackageResources.outbox_css])
}
