import FieldUnit
import Foundation
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText
import Web

/// The entries of a photo point that is not made yet, as the person wrote them. They stay on the
/// device while the camera is open, and until the point is made.
struct PointDraft: Codable {
  /// The photo that the point is to be made of.
  var photo: String
  /// True while the camera is open for another picture in the photo's place.
  private var isWaiting = false
  /// The identifier that the point will have, so that a form that comes twice makes one point; nil
  /// before the form was shown.
  private var id: String?
  /// The name; empty for none.
  var name = ""
  /// The photo of the ground, as its field says; empty for none.
  var footing = ""
  /// The latitude of the thing in the photo, degrees; empty if nobody has set it.
  var latitude = ""
  /// The longitude of the thing in the photo, degrees; empty if nobody has set it.
  var longitude = ""

  /// Creates an empty draft of a photo.
  init(photo: Identifier) { self.photo = photo.description }

  /// Creates the draft of a form.
  init(_ form: WebForm, photo: Identifier) {
    self.photo = photo.description
    id = form["id"]
    name = form["name"] ?? ""
    footing = form["footing"] ?? ""
    latitude = form["latitude"] ?? ""
    longitude = form["longitude"] ?? ""
  }

  /// The identifier that the point will have; nil before the form was shown.
  var point: Identifier? { id.flatMap(Identifier.init(_:)) }

  /// The place of the thing in the photo; nil if nobody has set it.
  var subject: Coordinate? {
    guard let north = DecimalText.typed(latitude), let east = DecimalText.typed(longitude) else {
      return nil
    }
    return Coordinate(latitudeDegrees: north, longitudeDegrees: east)
  }

  /// True if the two fields are a place, or are both empty.
  var isPlaceComplete: Bool { subject != nil || latitude.isEmpty && longitude.isEmpty }

  /// The draft while another picture is taken: name and pin stay. The other picture has a ground and a
  /// point of its own.
  var waiting: PointDraft {
    var draft = self
    draft.isWaiting = true
    (draft.id, draft.footing) = (nil, "")
    return draft
  }

  // MARK: keeping

  private static let setting = "point-draft"

  /// Returns the draft that is kept for a photo; nil if none is.
  static func kept(for photo: Identifier, _ reader: PageReader) throws -> PointDraft? {
    // A draft of another photo is no draft of this one.
    guard let draft = try kept(reader),
      draft.photo == photo.description
    else { return nil }
    return draft
  }

  /// Returns the draft that is kept; nil if none is.
  private static func kept(_ reader: PageReader) throws -> PointDraft? {
    let text = try reader.unit.store.read(as: reader.unit.person) {
      try $0.settings.value(of: setting)
    }
    // A draft of another version of the program cannot be read, and is none.
    return text.flatMap { try? JSONDecoder().decode(PointDraft.self, from: Data($0.utf8)) }
  }

  /// Ends the taking of another picture: the draft that waits is the new picture's.
  /// - Parameter photo: the new picture; nil if the camera was closed without one.
  /// - Returns: the photo whose form the person came from; nil if no draft waits.
  static func endWaiting(with photo: Identifier?, _ reader: PageReader) throws -> Identifier? {
    guard var draft = try kept(reader), draft.isWaiting else { return nil }
    let before = Identifier(draft.photo)
    draft.isWaiting = false
    if let photo { draft.photo = photo.description }
    try draft.keep(reader)
    return before
  }

  /// Keeps the draft in the place of the one before.
  func keep(_ reader: PageReader) throws {
    try Self.keep(String(decoding: try WireJSON.bytes(self), as: UTF8.self), reader)
  }

  /// Forgets the draft that is kept.
  static func forget(_ reader: PageReader) throws { try keep(nil, reader) }

  private static func keep(_ text: String?, _ reader: PageReader) throws {
    try reader.unit.store.write(as: reader.unit.person) {
      try $0.settings.set(setting, to: text)
    }
  }
}
