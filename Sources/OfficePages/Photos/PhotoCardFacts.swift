import Evidence
import Inspection
import Office
import OfficeFrame
import Sync
import TimeAndText
import Web

/// The facts that the cards of photos show and that the rows of the photos do not hold.
package struct PhotoCardFacts: Sendable {
  /// The photo point of a repeat.
  package struct Repeated: Sendable {
    /// The point's identifier.
    package var id: Identifier
    /// The point; nil if the office does not have it yet.
    package var point: PhotoPoint?
  }

  /// The seals of the photos.
  package var seals: [Identifier: SealFile] = [:]
  /// The photo points of which a photo is the reference, the earliest first.
  package var points: [Identifier: [PhotoPoint]] = [:]
  /// The photo points that photos repeat.
  package var repeated: [Identifier: Repeated] = [:]
  /// The forms with which an officer moves photos to other items of their task.
  package var forms: [Identifier: HTML] = [:]

  /// Returns these facts with the forms at the photos.
  func with(_ forms: [Identifier: HTML]) -> PhotoCardFacts {
    var facts = self
    facts.forms = forms
    return facts
  }
}

extension PhotoPages {
  /// Reads the facts of photos, all in one look at the database: a page with many photos would
  /// otherwise wait for each. Inspectors do not see the agency's photo points here.
  package func cardFacts(
    of photos: [ReceivedPhoto], _ reader: Reader
  ) async throws -> PhotoCardFacts {
    let ids = photos.map(\.photo.id)
    guard reader.own == nil else {
      return try await office.database.read(
        in: reader.agency, ofInspector: reader.own
      ) { session in
        PhotoCardFacts(seals: try Self.seals(of: ids, in: session.seals))
      }
    }
    return try await office.database.read(in: reader.agency) { session in
      let points = session.points
      var facts = PhotoCardFacts(seals: try Self.seals(of: ids, in: session.seals))
      for id in ids {
        let own = try points.points(ofPhoto: id)
        if !own.isEmpty { facts.points[id] = own }
        if let point = try points.repetition(ofPhoto: id)?.claims.point {
          facts.repeated[id] = PhotoCardFacts.Repeated(
            id: point, point: try points.point(point))
        }
      }
      return facts
    }
  }

  private static func seals(
    of photos: [Identifier], in seals: any SealReads
  ) throws -> [Identifier: SealFile] {
    try photos.reduce(into: [:]) { found, id in found[id] = try seals.seal(of: id, .capture) }
  }

  /// Returns the photo points that a photo belongs to, and the form that makes one of it; empty for
  /// inspectors, and for photos that no device key has sealed.
  func pointFacts(
    of received: ReceivedPhoto, _ facts: PhotoCardFacts, _ reader: Reader
  ) -> HTML? {
    let photo = received.photo
    guard reader.own == nil, photo.origin != .egnss4cap else { return nil }
    func link(_ point: PhotoPoint) -> HTML {
      "<a href=\"/points/\(point.id.description)\">\(point.title)</a>"
    }
    let repeated: HTML? = facts.repeated[photo.id].map { repeated in
      repeated.point.map(link) ?? .text(t("a photo point that has not arrived yet"))
    }
    let points = facts.points[photo.id] ?? []
    let own: HTML? =
      points.isEmpty ? nil : HTML.joined(points.map(link), separator: ", ")
    let known: HTML? =
      repeated == nil && own == nil
      ? nil : HTML.facts([(t("Repeats"), repeated), (t("Photo points"), own)])
    return "\(known)\(pointForm(of: received, reader))\(composeLink(of: received, reader))"
  }

  /// Returns the link to the pages that lay another photo over a photo, or under it.
  private func composeLink(of received: ReceivedPhoto, _ reader: Reader) -> HTML? {
    guard received.hidden == nil, received.deletedReason == nil, reader.own == nil else {
      return nil
    }
    return """
      <p><a href="/compose/choose?photo=\(received.photo.id.description)">\(t("Then and now"))</a></p>
      """
  }

  /// Returns the form that makes a photo point of a photo; nil for a photo that cannot be a
  /// reference.
  private func pointForm(of received: ReceivedPhoto, _ reader: Reader) -> HTML? {
    let photo = received.photo
    guard received.hidden == nil, received.deletedReason == nil, !photo.claimsNoPlace else {
      return nil
    }
    return """
      <details><summary>\(t("Make a photo point"))</summary>
      <p class="hint">\(t("Inspectors can then take the same view again, and the office compares each of their photos with this one."))</p>
      <form class="fields" method="post" action="/photos/\(photo.id.description)/point">\(reader.request.formField)
      <input type="hidden" name="id" value="\(Identifier(at: office.clock.deviceTime).description)">
      <label>\(t("Name (may stay empty)"))<input name="name" maxlength="\(PhotoPointRule.nameCharactersAtMost)" autocomplete="off"></label>
      <p class="actions"><button class="button">\(t("Make the photo point"))</button></p></form></details>
      """
  }
}
