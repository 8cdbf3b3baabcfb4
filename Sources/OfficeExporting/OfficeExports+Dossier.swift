import Evidence
import Exports
import Foundation
import Inspection
import MapLayers
import Office
import PDFWriting
import Positioning
import Store
import Sync
import TimeAndText
import Web

extension OfficeExports {
  /// Writes a task's PDF, possibly in several volumes. Either all of them are there whole, or none
  /// is.
  /// - Parameters:
  ///   - inspector: the login that the task must belong to; nil for any of the agency.
  ///   - path: the path of the first volume; `PDFDocument.path` tells the others'.
  ///   - t: the texts in the document's language.
  ///   - progress: called with the number of photos that are done, and of all.
  ///   - isCancelled: asked now and then; after true, no file is left.
  /// - Returns: the volumes' paths.
  /// - Throws: `StoreError.unknown` if the task is not there; `OfficeRefusal` if the PDF cannot be
  ///   made.
  @discardableResult
  public func writeDossier(
    ofTask id: Identifier, in agency: String, ofInspector inspector: String? = nil,
    toFile path: String, in t: Texts = .current,
    photosPerVolume: Int = PDFDocument.photosPerVolume,
    progress: (Int, Int) -> Void = { _, _ in }, isCancelled: () -> Bool = { false }
  ) async throws -> [String] {
    let dossier = try await dossier(ofTask: id, in: agency, ofInspector: inspector, t)
    var volumes: [String] = []
    try writingPDF { (fonts) throws(PDFError) in
      volumes = try PDFDocument.write(
        dossier, fonts: fonts, toFile: path, photosPerVolume: photosPerVolume, progress: progress,
        isCancelled: isCancelled)
    }
    return volumes
  }

  /// Returns the contents of a task's PDF.
  /// - Parameter t: the texts in the document's language.
  public func dossier(
    ofTask id: Identifier, in agency: String, ofInspector inspector: String? = nil,
    _ t: Texts = .current
  ) async throws -> Dossier {
    let view = try await review.view(of: id, in: agency, ofInspector: inspector)
    // Only officers give out sealed records, as with bundles.
    let seals =
      inspector == nil
      ? try await database.read(in: agency) { try $0.chains.seals(ofTask: id) } : []
    // Kept as bytes: a thousand parsed records would be several times as large.
    let records = Dictionary(
      seals.filter { $0.seal.link.kind == .capture }.map { ($0.seal.link.id, $0.bytes) },
      uniquingKeysWith: { first, _ in first })
    var photos: [Dossier.PhotoPart] = []
    for received in view.photos where received.deletedReason == nil {
      var part = try await part(received, t)
      // A photo of the EGNSS4CAP app has no record.
      if inspector == nil, received.photo.origin != .egnss4cap {
        let id = received.photo.id
        part.record = {
          guard let record = records[id] else {
            throw OfficeRefusal(.unknown, "the photo's record is missing")
          }
          return try SealFile(record)
        }
      }
      photos.append(part)
    }
    let names = try await names(ofPeopleOf: view.task, in: agency)
    var dossier = try await Dossier(
      task: view.task, agencyTitle: try people.agencyTitle(agency),
      inspectorName: names[view.task.inspector],
      photos: photos, tracks: view.tracks,
      isDemonstration: configuration.isDemonstration, made: clock.deviceTime,
      software: configuration.software, authorityFingerprint: fingerprint,
      evidence: seals.isEmpty ? nil : Self.evidence(seals),
      attachments: seals.filter { $0.seal.link.kind != .capture }.map(Self.attachment),
      baseMap: baseMap(of: agency))
    (dossier.names, dossier.language) = (names, DocumentLanguage(t))
    dossier.sets = try await setParts(ofTask: id, in: agency, ofInspector: inspector, names)
    dossier.items = try await database.read(in: agency, ofInspector: inspector) {
      try TaskItemsRead(of: view.task, photos: view.photos, $0)?.exported
    }
    // Inspectors see no composites: photos of others may be in them.
    if inspector == nil {
      dossier.composites = try compositeParts(of: view.photos.map(\.photo.id), in: agency)
    }
    return dossier
  }

  /// Returns the composites in which at least one of some photos is, the oldest first.
  private func compositeParts(
    of photos: [Identifier], in agency: String
  ) throws -> [Dossier.CompositePart] {
    let wanted = Set(photos.map(\.description))
    let (service, store) = (self.composites, self.photos)
    func file(of original: CompositeRecord.Original) throws -> [UInt8] {
      guard let id = Identifier(original.id) else {
        throw OfficeRefusal(.unknown, "the photo's file is missing")
      }
      for name in [EvidenceName.file(.capture, id), EvidenceName.archive(id, agency: agency)] {
        if let bytes = try store.bytes(of: name) { return bytes }
      }
      throw OfficeRefusal(.unknown, "the photo's file is missing")
    }
    return try service.all(in: agency).reversed()
      .filter { wanted.contains($0.below.id) || wanted.contains($0.above.id) }
      .compactMap { record in
        Identifier(record.id).map { id in
          Dossier.CompositePart(
            record, jpeg: { try service.file(id, in: agency) },
            below: { try file(of: record.below) }, above: { try file(of: record.above) })
        }
      }
  }

  /// Returns the full names of the people who did something with a task, by their logins.
  private func names(
    ofPeopleOf task: InspectionTask, in agency: String
  ) async throws -> [String: String] {
    let logins = Set(task.history.map(\.person.login) + [task.inspector])
    let known = try await people.accounts(ofAgency: agency).compactMap { account in
      account.name.flatMap { logins.contains(account.login) ? (account.login, $0) : nil }
    }
    return Dictionary(known, uniquingKeysWith: { first, _ in first })
  }

  /// Lists the sealed bytes by their names in the bundle: seals with the digests of their own
  /// bytes, files and raw windows with the digests that their seals state. A file that does not
  /// match was changed.
  private static func evidence(_ seals: [SealFile]) -> EvidenceList {
    var entries: [EvidenceList.Entry] = []
    for seal in seals {
      let link = seal.seal.link
      entries.append(
        EvidenceList.Entry(
          path: EvidenceName.seal(link.kind, link.id), digest: Digest.hexadecimal(seal.bytes)))
      entries += seal.parts.map { named in
        EvidenceList.Entry(
          path: EvidenceName.part(named.part, link.kind, link.id), digest: named.digest)
      }
    }
    return EvidenceList(entries)
  }

  private static func attachment(_ seal: SealFile) -> Dossier.Attachment {
    let link = seal.seal.link
    return Dossier.Attachment(
      name: "\(link.kind.rawValue)-\(link.id).seal",
      meaning: "sealed record: \(link.kind.rawValue)",
      mediaType: "application/json", bytes: seal.bytes)
  }

  /// Returns the agency's first base map, drawn beneath the document's maps; nil if there is none.
  func baseMap(of agency: String) throws -> Dossier.BaseMap? {
    try core.layers.layers(of: agency).first.map { layer in
      let drawn = DocumentLayer(layer)
      return Dossier.BaseMap(
        title: layer.title, attribution: layer.attribution, zooms: layer.zooms,
        tile: { zoom, x, y in try drawn.tile(at: TileExtract.Place(zoom: zoom, x: x, y: y)) })
    }
  }

  /// Returns the part of a PDF that shows one photo.
  package func part(
    _ received: ReceivedPhoto, _ t: Texts = .current
  ) async throws -> Dossier.PhotoPart {
    let store = photos
    let photo = received.photo
    let seal = try await database.read(in: photo.agency) {
      try $0.seals.seal(of: photo.id, .capture)
    }
    var part = Dossier.PhotoPart(
      photo: photo,
      jpeg: {
        guard let bytes = try store.bytes(of: EvidenceName.file(.capture, photo.id))
        else { throw OfficeRefusal(.unknown, "the photo's file is missing") }
        return bytes
      }, verdict: received.verdict, findings: received.findings,
      checks: received.checks.map(
        CheckWords(t: t, findings: received.findings, services: services).line),
      suitability: received.verdict == nil
        ? nil : Suitability(received.photo, checks: received.checks))
    part.receiverSource = seal?.receiverSource
    part.cameraWay = seal?.cameraWay
    part.sealedBetween = CheckWords(t: t).sealedBetween(received.checks)
    part.repetition = try await repetition(of: photo)
    return part
  }

  /// Returns the photo point that a photo repeats, with the reference photo as the photo's record
  /// names it; nil if the photo repeats none.
  private func repetition(of photo: Photo) async throws -> Dossier.Repetition? {
    let found = try await database.read(in: photo.agency) { session in
      try session.points.repetition(ofPhoto: photo.id).map { repetition in
        (repetition: repetition, point: try session.points.point(repetition.claims.point))
      }
    }
    guard let (repetition, point) = found else { return nil }
    let store = photos
    let claims = point?.measured(repetition.claims, of: photo) ?? repetition.claims
    return Dossier.Repetition(
      claims: claims, point: point?.title ?? String(claims.point.description.suffix(8)),
      camera: point?.camera, displacementPercent: repetition.displacementPercent,
      reference: {
        guard let point else {
          throw OfficeRefusal(.unknown, "this office does not know the photo point")
        }
        let name = EvidenceName.original(of: point, point.reference)
        guard let bytes = try store.bytes(of: name) else {
          throw OfficeRefusal(.unknown, "the photo's file is missing")
        }
        guard Digest.hexadecimal(bytes) == claims.referenceDigest else {
          throw OfficeRefusal(.unknown, "its file is not the one that was repeated")
        }
        return bytes
      })
  }
}
