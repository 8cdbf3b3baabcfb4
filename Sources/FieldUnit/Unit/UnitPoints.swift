import Geodesy
import Inspection
import Store
import TimeAndText

/// The photo points of an inspector on this device.
public struct UnitPoints: Sendable {
  let unit: InspectorUnit

  private var store: FieldStore { unit.store }
  private var person: Person { unit.person }

  /// Makes a photo point from a photo of the inspector's own. The office is told after the next
  /// delivery.
  /// - Parameters:
  ///   - id: the point's identifier, so that a form that comes twice makes one point; nil for a new
  ///     one.
  ///   - name: the name; nil or empty for none.
  ///   - footing: the photo of the ground; nil if there is none.
  ///   - subject: the place of the thing that is photographed; nil if nobody has set it.
  /// - Throws: `InspectionError.photoPoint`, `StoreError`.
  public func make(
    _ id: Identifier? = nil, of photo: Identifier, name: String?, footing: Identifier? = nil,
    subject: Coordinate? = nil
  ) throws -> PhotoPoint {
    let name = try PhotoPointRule.name(name)
    let now = unit.clock.deviceTime
    return try store.write(as: person) { session in
      let known = try id.flatMap { try session.points.point($0) }
      // The same form again is the same point; one of another photo is another point.
      if let known, known.reference.photo == photo { return known }
      let reference = try session.photos.photo(photo)
      var point = try PhotoPoint(
        id: known == nil ? id ?? Identifier(at: now) : Identifier(at: now), of: reference,
        maker: person.login, made: now)
      point.name = name
      point.parcel = try reference.task.flatMap { try session.tasks.task($0).parcel?.identifier }
      point.footing = try footing.map {
        PhotoPoint.Picture(photo: $0, digest: try session.photos.photo($0).fileDigest)
      }
      point.subject = subject
      try session.points.insert(point)
      return point
    }
  }

  /// Returns a photo point that is on this device.
  /// - Throws: `StoreError.unknown`.
  public func point(_ id: Identifier) throws -> PhotoPoint {
    guard let point = try store.read(as: person, { try $0.points.point(id) }) else {
      throw StoreError.unknown(what: "photo point", id: id.description)
    }
    return point
  }

  /// Returns the photo point that a text names: its identifier, its code, or its label's text.
  /// - Throws: `FieldUnitError.malformedPhotoPoint` if the text is none of them,
  ///   `StoreError.unknown` if the point is not on this device.
  public func point(named text: String) throws -> PhotoPoint {
    if let id = Identifier(text.lowercased()) { return try point(id) }
    let label = PhotoPointCode.ofLabel(text)
    guard let code = label?.code ?? PhotoPointCode(text) else {
      throw FieldUnitError.malformedPhotoPoint(text)
    }
    guard label.map({ $0.agency == person.agency }) ?? true,
      let point = try store.read(as: person, { try $0.points.point(withCode: code) })
    else { throw StoreError.unknown(what: "photo point", id: code.description) }
    return point
  }

  /// Returns all photo points on this device, the newest first.
  public func all() throws -> [PhotoPoint] {
    try store.read(as: person) { try $0.points.all() }
  }

  /// Returns the photo points within a distance of a place, the nearest first.
  public func near(
    _ place: Coordinate, metres: Double = PhotoPointRule.nearbyMetres,
    limit: Int = PhotoPointRule.nearbyAtMost
  ) throws -> [(point: PhotoPoint, metres: Double)] {
    try store.read(as: person) { try $0.points.near(place, metres: metres, limit: limit) }
  }

  /// Returns the points that photos of a task repeat, and the reasons why others have none.
  public func outcome(
    ofTask id: Identifier
  ) throws -> (repeated: Set<Identifier>, reasons: [Identifier: String]) {
    try store.read(as: person) { try $0.points.outcome(ofTask: id) }
  }

  /// Counts a task's photo points that have neither a repeat nor a reason.
  public func lacking(for task: InspectionTask) throws -> Int {
    try store.read(as: person) { try $0.points.lacking(for: task) }
  }

  /// Returns the claims of a photo that repeats a photo point; nil if it repeats none.
  public func repetition(ofPhoto id: Identifier) throws -> RepeatClaims? {
    try store.read(as: person) { try $0.points.claims(ofPhoto: id) }
  }
}
