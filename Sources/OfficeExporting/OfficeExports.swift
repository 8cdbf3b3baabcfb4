import Evidence
import Exports
import Foundation
import Imagery
import Inspection
import Office
import OfficeKeyring
import PDFWriting
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// Makes the files that officers and inspectors download.
package struct OfficeExports: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let people: People
  let review: Review
  let derived: DerivedFiles
  let composites: Composites
  /// The added services, which show the tracks that they took.
  let services: [any AddedService]
}

extension OfficeServer {
  /// Makes the files that officers and inspectors download.
  package var exports: OfficeExports {
    OfficeExports(
      core: core, people: people, review: review, derived: derived, composites: composites,
      services: services)
  }
}

extension OfficeExports {
  /// Returns the contents of the PDF of a photo without a task.
  func dossier(
    of received: ReceivedPhoto, _ t: Texts = .current
  ) async throws -> PhotoDossier {
    let photo = received.photo
    var dossier = PhotoDossier(
      part: try await part(received, t), agencyTitle: try await people.agencyTitle(photo.agency),
      inspectorName: try await fullName(of: photo.inspector, in: photo.agency),
      hidden: received.hidden,
      deletedReason: received.deletedReason, isDemonstration: configuration.isDemonstration,
      made: clock.deviceTime, software: configuration.software, authorityFingerprint: fingerprint,
      baseMap: try baseMap(of: photo.agency))
    dossier.language = DocumentLanguage(t)
    return dossier
  }

  func fullName(of login: String, in agency: String) async throws -> String? {
    try await people.accounts(ofAgency: agency).first { $0.login == login }?.name
  }

  /// Returns a task's bundle: its records whole, the links between them without their records, files,
  /// receipts and certificates.
  package func bundle(ofTask id: Identifier, in agency: String) async throws -> TaskBundle {
    let (task, logEntry, seals, chains) = try await database.read(in: agency) { session in
      let task = try session.tasks.task(id)
      // In the same state of the database: what is logged later may have changed what belongs to the task.
      let last = try session.log.page(before: nil, containing: nil, limit: 1).first
      let seals = try session.chains.seals(ofTask: id)
      let keys = Set(seals.map(\.seal.link.key)).sorted()
      let chains = try keys.map { key in
        BundledChain(
          key: key, links: try session.chains.links(ofKey: key),
          device: try session.devices.device(withKey: key),
          receipts: try session.deliveries.receipts(ofKey: key))
      }
      return (task, last.map { Int($0.number) }, seals, chains)
    }
    guard !seals.isEmpty else {
      throw OfficeRefusal(
        .ruleForbids,
        "this task has no evidence: nothing delivered for it is sealed by a device key")
    }
    var entries: [Evidence.Bundle.Entry] = []
    for seal in seals { entries += try recordEntries(seal) }
    for chain in chains { entries += try chainEntries(chain, of: seals, in: agency) }
    for (name, bytes) in core.keys.ring.bundledFiles {
      entries.append(Evidence.Bundle.Entry(path: name, content: .bytes(bytes)))
    }
    let proofs = try await logProofs(of: chains.flatMap { $0.receipts(naming: seals) })
    let named = Set(chains.flatMap(\.receipts).flatMap(\.records))
    return TaskBundle(
      entries: entries + proofs.entries,
      contents: BundleStatement.Contents(
        agency: agency, selection: .init(task: id, name: task.name),
        logEntry: logEntry, log: proofs.log,
        unreceipted: Set(seals.map(\.seal.link.record)).subtracting(named).sorted(),
        revoked: chains.filter { $0.device?.revoked != nil }.map(\.key), made: clock.deviceTime))
  }

  /// Writes a bundle with the office's signed list of what it holds.
  package func write(_ bundle: TaskBundle, toFile path: String) throws {
    let ring = core.keys.ring
    try Evidence.Bundle.write(
      bundle.entries, made: bundle.contents.made, toFile: path,
      statement: { (list) throws(EvidenceError) in
        do {
          return try BundleStatement(
            bundle.contents, list: list, signedWith: ring.receiptKey,
            certificate: ring.receiptCertificate)
        } catch let error as EvidenceError {
          throw error
        } catch {
          throw EvidenceError.malformedList("\(word: "\(error)")")
        }
      })
  }

  /// Returns a record's entries: its seal, and its stored files.
  private func recordEntries(_ seal: SealFile) throws -> [Evidence.Bundle.Entry] {
    let link = seal.seal.link
    var entries = [
      Evidence.Bundle.Entry(
        path: EvidenceName.seal(link.kind, link.id), content: .bytes(seal.bytes))
    ]
    entries += try seal.parts.compactMap { named in
      try storedEntry(EvidenceName.part(named.part, link.kind, link.id))
    }
    return entries
  }

  /// Returns the entry of a stored file; nil if the file is missing.
  private func storedEntry(_ name: String) throws -> Evidence.Bundle.Entry? {
    if let path = photos.path(of: name), try photos.holds(name) {
      return Evidence.Bundle.Entry(path: name, content: .file(path: path))
    }
    return try photos.bytes(of: name).map { Evidence.Bundle.Entry(path: name, content: .bytes($0)) }
  }

  /// Returns a chain's entries: its other links without their records, its revocation, certificate
  /// and receipts.
  /// - Parameter seals: the task's records, of all keys.
  private func chainEntries(
    _ chain: BundledChain, of seals: [SealFile], in agency: String
  ) throws -> [Evidence.Bundle.Entry] {
    let whole = Set(seals.map(\.seal.digest))
    var entries: [Evidence.Bundle.Entry] = []
    // From the chain's first link to the last of this task, or to the last link that the latest
    // of its receipts says the office has: this shows that no link was taken out in between or at
    // the end.
    let receipts = chain.receipts(naming: seals)
    let last =
      (seals.map(\.seal.link).filter { $0.key == chain.key }.map(\.sequence)
      + receipts.compactMap { $0.head?.sequence }).max() ?? 0
    let bare = chain.links.map(\.seal).filter {
      $0.link.sequence <= last && !whole.contains($0.digest)
    }
    if !bare.isEmpty {
      entries.append(
        Evidence.Bundle.Entry(
          path: EvidenceName.links(ofKey: chain.key),
          content: .bytes(LinkList.bytes(bare.map(\.jws)))))
    }
    if let revocation = try chain.device.flatMap({ try derived.revocation(of: $0, in: agency) }) {
      entries.append(
        Evidence.Bundle.Entry(
          path: EvidenceName.revocation(ofKey: chain.key),
          content: .bytes(Array(revocation.jws.utf8))))
    }
    if let certificate = chain.device?.certificate {
      entries.append(
        Evidence.Bundle.Entry(
          path: EvidenceName.certificate(ofKey: chain.key),
          content: .bytes(Array((certificate + core.keys.ring.authoritiesPEM).utf8))))
    }
    let attestation = EvidenceName.attestation(ofKey: chain.key)
    if let bytes = try photos.bytes(of: attestation) {
      entries.append(Evidence.Bundle.Entry(path: attestation, content: .bytes(bytes)))
    }
    let challenges = Set(
      seals.filter { $0.seal.link.key == chain.key }.compactMap {
        CaptureChallenge.digest(in: $0.record)
      })
    for digest in challenges.sorted() {
      let name = EvidenceName.challenge(digest, ofKey: chain.key)
      if let challenge = try photos.bytes(of: name) {
        entries.append(
          Evidence.Bundle.Entry(
            path: "\(CaptureChallenge.folder)/\(digest)\(CaptureChallenge.ending)",
            content: .bytes(challenge)))
      }
    }
    for receipt in receipts {
      entries.append(
        Evidence.Bundle.Entry(
          path: EvidenceName.receipt(receipt.id), content: .bytes(Array(receipt.jws.utf8))))
    }
    return entries
  }
}

/// A task's evidence, and what the office says of it.
package struct TaskBundle: Sendable {
  /// The files.
  package let entries: [Evidence.Bundle.Entry]
  /// The statement that the office signs over their list.
  package let contents: BundleStatement.Contents
}

/// The chain of one key, as a bundle needs it.
private struct BundledChain {
  let key: String
  let links: [ReceivedLink]
  let device: EnrolledDevice?
  let receipts: [Receipt]

  /// Returns the receipts that name one of these records.
  func receipts(naming seals: [SealFile]) -> [Receipt] {
    let records = Set(seals.map(\.seal.link.record))
    return receipts.filter { !records.isDisjoint(with: $0.records) }
  }
}

extension OfficeExports {
  /// Writes a task as one of the files that officers download: `task.kml`, `task.pdf` or
  /// `bundle.zip`.
  /// - Parameters:
  ///   - inspector: the login that the task must belong to; nil for any of the agency. Only
  ///     officers get a bundle.
  ///   - t: the texts in the language of words for people.
  ///   - tick: called now and then; an error that it throws ends the export, and no file is left.
  public func write(
    _ name: String, ofTask id: Identifier, in agency: String, ofInspector inspector: String? = nil,
    toFile path: String, in t: Texts = .current, tick: @escaping () throws -> Void = {}
  ) async throws {
    if name == "task.kml" {
      return try await export(
        .tasks([id]), in: agency, ofInspector: inspector, as: .kml, toFile: path, in: t, tick: tick)
    }
    guard inspector == nil || name == "task.pdf" else {
      throw OfficeRefusal(.roleForbidden, "only officers can make a bundle: ask an officer")
    }
    if name == "task.pdf" {
      // One file for one answer, however many photos there are: pictures stay on the disk until
      // they are written.
      try await writeDossier(
        ofTask: id, in: agency, ofInspector: inspector, toFile: path, in: t, photosPerVolume: .max,
        isCancelled: { (try? tick()) == nil })
    } else {
      let bundle = try await bundle(ofTask: id, in: agency)
      try tick()
      try write(bundle, toFile: path)
    }
  }

  /// Writes a photo without a task as PDF.
  package func writePDF(
    of received: ReceivedPhoto, toFile path: String, in t: Texts = .current
  ) async throws {
    let dossier = try await dossier(of: received, t)
    try writingPDF { (fonts) throws(PDFError) in
      try PDFDocument.write(dossier, fonts: fonts, toFile: path)
    }
  }

  /// Writes the labels of photo points as PDF, ten on a page; a point without a code gets none.
  package func writeLabels(
    of points: [PhotoPoint], in agency: String, toFile path: String, in t: Texts = .current
  ) async throws {
    let title = try await people.agencyTitle(agency)
    try writingPDF { (fonts) throws(PDFError) in
      try PhotoPointLabels.write(
        points, agencyTitle: title, language: DocumentLanguage(t), fonts: fonts,
        made: clock.deviceTime, software: configuration.software, toFile: path)
    }
  }

  func writingPDF(_ write: (PDFFonts) throws(PDFError) -> Void) throws {
    guard let fonts = PDFFonts.installed() else {
      throw OfficeRefusal(
        .exportImpossible, "the typeface DejaVu is not installed: apt install fonts-dejavu-core")
    }
    do {
      try write(fonts)
    } catch {
      throw OfficeRefusal(.exportImpossible, "\(error)")
    }
  }

  /// The sizes in which pictures are made for pages.
  package enum PictureSize: String {
    /// A picture to look at, 1280 pixels on its longer side.
    case preview
    /// A picture among many, 320 pixels on its longer side.
    case thumbnail

    fileprivate var longestSidePixels: Int { self == .preview ? 1280 : 320 }
  }

  /// Returns a photo's picture in a size for pages. It is made once and kept; it is no evidence.
  package func picture(_ size: PictureSize, of photo: Photo) throws -> [UInt8] {
    let name = "previews/\(photo.id.folder)/\(photo.id).\(size.rawValue)"
    if let known = try photos.bytes(of: name) { return known }
    guard let bytes = try photos.bytes(of: EvidenceName.file(.capture, photo.id)) else {
      throw OfficeRefusal(.unknown, "the photo's file is missing: run standpoint office check")
    }
    let picture = try PixelBuffer(decoding: bytes, maximumSide: size.longestSidePixels)
      .encodeJPEG(quality: 82)
    try photos.write(picture, as: name)
    return picture
  }
}
