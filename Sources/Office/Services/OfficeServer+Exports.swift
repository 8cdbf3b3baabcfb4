import Evidence
import Exports
import Foundation
import Imagery
import Inspection
import Positioning
import Store
import Sync
import Web

extension OfficeServer {
  /// What the PDF of a photo without a task says.
  func dossier(of received: ReceivedPhoto) async throws -> PhotoDossier {
    let photo = received.photo
    return PhotoDossier(
      part: try await part(received), agencyTitle: try await agencyTitle(photo.agency),
      inspectorName: try await fullName(of: photo.inspector, in: photo.agency),
      hidden: received.hidden,
      deletedReason: received.deletedReason, isDemonstration: configuration.isDemonstration,
      made: clock.deviceTime, software: configuration.software, authorityFingerprint: fingerprint,
      baseMap: baseMap)
  }

  func fullName(of login: String, in agency: String) async throws -> String? {
    try await accounts(ofAgency: agency).first { $0.login == login }?.name
  }

  /// The entries of a task's bundle: its records whole, the links of what lies between them bare,
  /// files, receipts and certificates.
  public func bundle(ofTask id: Identifier, in agency: String) async throws -> [Evidence.Bundle
    .Entry]
  {
    let (seals, chains) = try await database.read(in: agency) { session in
      _ = try session.tasks.task(id)
      let seals = try session.chains.seals(ofTask: id)
      let keys = Set(seals.map(\.seal.link.key)).sorted()
      let chains = try keys.map { key in
        (
          key: key, links: try session.chains.links(ofKey: key),
          device: try session.devices.device(withKey: key),
          receipts: try session.deliveries.receipts(ofKey: key)
        )
      }
      return (seals, chains)
    }
    guard !seals.isEmpty else {
      throw OfficeRefusal(
        .ruleForbids,
        "nothing that a device key has sealed was delivered for this task: there is no evidence")
    }
    var entries: [Evidence.Bundle.Entry] = []
    func add(_ name: String) throws {
      if let path = photos.path(of: name), try photos.holds(name) {
        entries.append(Evidence.Bundle.Entry(path: name, content: .file(path: path)))
      } else if let bytes = try photos.bytes(of: name) {
        entries.append(Evidence.Bundle.Entry(path: name, content: .bytes(bytes)))
      }
    }
    for seal in seals {
      let link = seal.seal.link
      entries.append(
        Evidence.Bundle.Entry(
          path: EvidenceName.seal(link.kind, link.id), content: .bytes(seal.bytes)))
      if link.file != nil { try add(EvidenceName.file(link.kind, link.id)) }
      if link.raw != nil { try add(EvidenceName.raw(link.id)) }
    }
    let records = Set(seals.map(\.seal.link.record))
    let whole = Set(seals.map(\.seal.digest))
    for chain in chains {
      // From the chain's first link to the last of this task, or to where the latest of its receipts
      // says that the office has it: nobody can have taken one out in between or at the end.
      let receipts = chain.receipts.filter { !records.isDisjoint(with: $0.records) }
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
      if let revocation = try chain.device.flatMap({ try revocation(of: $0, in: agency) }) {
        entries.append(
          Evidence.Bundle.Entry(
            path: EvidenceName.revocation(ofKey: chain.key),
            content: .bytes(Array(revocation.jws.utf8))))
      }
      if let certificate = chain.device?.certificate {
        entries.append(
          Evidence.Bundle.Entry(
            path: EvidenceName.certificate(ofKey: chain.key),
            content: .bytes(Array((certificate + authority.certificate.pem).utf8))))
      }
      for receipt in receipts {
        entries.append(
          Evidence.Bundle.Entry(
            path: EvidenceName.receipt(receipt.id), content: .bytes(Array(receipt.jws.utf8))))
      }
    }
    return entries
  }
}

extension OfficeServer {
  /// Writes a task as one of the files that officers take away: `task.kml`, `task.pdf` or `bundle.zip`.
  /// - Parameters:
  ///   - inspector: whose task it must be; nil for any of the agency. A bundle is given out by officers only.
  ///   - tick: called now and then; what it throws ends the export, and leaves nothing.
  public func write(
    _ name: String, ofTask id: Identifier, in agency: String, ofInspector inspector: String? = nil,
    toFile path: String, tick: @escaping () throws -> Void = {}
  ) async throws {
    if name == "task.kml" {
      return try await export(
        .tasks([id]), in: agency, ofInspector: inspector, as: .kml, toFile: path, tick: tick)
    }
    guard inspector == nil || name == "task.pdf" else {
      throw OfficeRefusal(.roleForbidden, "a bundle is given out by officers: ask one for it")
    }
    if name == "task.pdf" {
      // One file for one answer, however many photos there are: their pictures wait on the disk.
      try await writeDossier(
        ofTask: id, in: agency, ofInspector: inspector, toFile: path, photosPerVolume: .max,
        isCancelled: { (try? tick()) == nil })
    } else {
      let entries = try await bundle(ofTask: id, in: agency)
      try tick()
      try Evidence.Bundle.write(entries, made: clock.deviceTime, toFile: path)
    }
  }

  /// Writes a photo without a task as PDF.
  package func writePDF(of received: ReceivedPhoto, toFile path: String) async throws {
    let dossier = try await dossier(of: received)
    try writingPDF { (fonts) throws(PDFError) in
      try PDFDocument.write(dossier, fonts: fonts, toFile: path)
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

  /// How large a picture is made for a page.
  package enum PictureSize: String {
    /// To be looked at.
    case preview
    /// One of many.
    case thumbnail

    fileprivate var longestSidePixels: Int { self == .preview ? 1280 : 320 }
  }

  /// A photo small enough for a page. It is made once; it is no evidence.
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
