import GRDB
import Inspection
import Positioning
import Sync
import TimeAndText

/// Reads, through the wall of visible rows, the data that the predecessor's phones and older offices sent.
public protocol PhoneReading {
  /// The rows that this reader may see.
  var rows: VisibleRows { get }
}

/// The phones' rows that an inspector may see, or all of an agency's.
public struct VisiblePhoneRows: PhoneReading {
  /// The rows that this reader may see.
  public let rows: VisibleRows
}

extension PhoneReading {
  private func join(_ kind: PhoneNumberKind, _ subject: String) -> String {
    """
    LEFT JOIN phone_number ON phone_number.agency = :agency AND phone_number.kind = '\(kind.rawValue)'
      AND phone_number.subject = \(subject)
    """
  }

  /// Reads the fields that a phone sent with a photo; nil for a photo that came otherwise.
  public func phonePhoto(_ id: Identifier) throws -> PhonePhoto? {
    try rows.first(
      rows.select(
        "phone_photo.*, phone_number.number", from: .phonePhoto,
        join(.photo, "phone_photo.photo"), where: "phone_photo.photo = :id"),
      ["id": id.description]
    ).map { row in
      PhonePhoto(
        photo: id, inspector: row["inspector"], number: row["number"] ?? 0,
        userNumber: row["user_number"], created: row["created"], digest: row["digest"],
        digestHolds: row["digest_holds"], fields: row["fields"],
        received: DeviceTime(millisecondsSince1970: row["received"]))
    }
  }

  /// Reads the fields that a phone sent of a track; nil for a track that came otherwise.
  public func phoneTrack(_ id: Identifier) throws -> PhoneTrack? {
    try rows.first(
      rows.select(
        "phone_track.*, phone_number.number", from: .phoneTrack,
        join(.track, "phone_track.track"), where: "phone_track.track = :id"),
      ["id": id.description]
    ).map { row in
      PhoneTrack(
        track: id, inspector: row["inspector"], number: row["number"] ?? 0,
        contentDigest: row["content_digest"], fields: row["fields"], points: row["points"],
        received: DeviceTime(millisecondsSince1970: row["received"]))
    }
  }

  /// Reads the entry of a thing that was carried over from an older office; nil if it was not carried over.
  public func carriedOver(_ kind: CarriedOver.Kind, subject: String) throws -> CarriedOver? {
    try rows.first(
      rows.select(
        from: .carriedOver, where: "kind = :kind AND subject = :subject", "ORDER BY time LIMIT 1"),
      ["kind": kind.rawValue, "subject": subject]
    ).map(CarriedOverColumns.carriedOver)
  }
}
