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
  /// What an export is made of.
  public enum Choice: Hashable, Sendable {
    /// Everything of the agency.
    case all
    /// These tasks with what belongs to them.
    case tasks([Identifier])
    /// These photos.
    case photos([Identifier])
    /// These tracks.
    case tracks([Identifier])
  }

  /// Collects what is chosen, for KML and its siblings. What an officer has hidden is not among everything;
  /// where it is asked for by name, the document's title says that it is hidden.
  /// - Parameter inspector: whose things alone; nil for any of the agency.
  /// - Throws: `StoreError.unknown` where one of them is not there.
  public func selection(
    _ choice: Choice, in agency: String, ofInspector inspector: String? = nil
  ) throws -> ExportSelection {
    let title = "Standpoint: \(try agencyTitle(agency))"
    func titled(hidden: Int, of all: Int) -> String {
      hidden == 0 ? title : "\(title), hidden by an officer: \(hidden) of \(all)"
    }
    let selection = try database.read(in: agency, ofInspector: inspector) { session in
      func whole(_ selection: Selection) throws -> [Photo] {
        try session.photos(selection).filter { $0.deletedReason == nil }.map(\.photo)
      }
      func part(_ task: InspectionTask) throws -> ExportSelection.TaskPart {
        ExportSelection.TaskPart(
          task: task, photos: try whole(.task(task.id)),
          tracks: try session.tracks(.task(task.id)).compactMap { try track($0, session) })
      }
      switch choice {
      case .all:
        return ExportSelection(
          title: title,
          tasks: try session.tasks(
            TaskFilter(), TaskSorting(), at: clock.deviceTime, limit: .max, offset: 0
          ).map(part),
          photos: try whole(.standalone),
          tracks: try session.tracks(.standalone).compactMap { try track($0, session) })
      case .tasks(let ids):
        return ExportSelection(
          title: title, tasks: try ids.map { try part(session.task($0)) }, photos: [], tracks: [])
      case .photos(let ids):
        let photos = try ids.map { try session.photo($0) }
        return ExportSelection(
          title: titled(hidden: photos.count { $0.hidden != nil }, of: photos.count), tasks: [],
          photos: photos.map(\.photo), tracks: [])
      case .tracks(let ids):
        let rows = try ids.map { try session.track($0) }
        let tracks = try rows.map { row in
          guard let track = try track(row.id, session) else {
            throw OfficeRefusal(
              .unknown, "the track's file is missing: run standpoint office check")
          }
          return track
        }
        return ExportSelection(
          title: titled(hidden: rows.count { $0.hidden != nil }, of: rows.count), tasks: [],
          photos: [], tracks: tracks)
      }
    }
    guard !selection.isEmpty else {
      throw OfficeRefusal(.ruleForbids, "there is nothing to export yet")
    }
    return selection
  }

  /// What the PDF of a photo without a task says.
  func dossier(of received: ReceivedPhoto) throws -> PhotoDossier {
    let photo = received.photo
    return PhotoDossier(
      part: part(received), agencyTitle: try agencyTitle(photo.agency),
      inspectorName: try fullName(of: photo.inspector, in: photo.agency), hidden: received.hidden,
      deletedReason: received.deletedReason, isDemonstration: configuration.isDemonstration,
      made: clock.deviceTime, software: configuration.software, authorityFingerprint: fingerprint,
      baseMap: baseMap)
  }

  func fullName(of login: String, in agency: String) throws -> String? {
    try accounts(ofAgency: agency).first { $0.login == login }?.name
  }

  /// The entries of a task's bundle: its records whole, the links of what lies between them bare,
  /// files, receipts and certificates.
  public func bundle(ofTask id: Identifier, in agency: String) throws -> [Evidence.Bundle.Entry] {
    let (seals, chains) = try database.read(in: agency) { session in
      _ = try session.task(id)
      let seals = try session.seals(ofTask: id)
      let keys = Set(seals.map(\.seal.link.key)).sorted()
      let chains = try keys.map { key in
        (
          key: key, links: try session.links(ofKey: key),
          device: try session.device(withKey: key),
          receipts: try session.receipts(ofKey: key)
        )
      }
      return (seals, chains)
    }
    guard !seals.isEmpty else {
      throw OfficeRefusal(
        .ruleForbids, "nothing was delivered for this task yet: there is no evidence")
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
  /// A task as one of the files that officers take away: `task.kml`, `task.pdf` or `bundle.zip`.
  /// - Parameter inspector: whose task it must be; nil for any of the agency. A bundle is given out by
  ///   officers only.
  public func exported(
    _ name: String, ofTask id: Identifier, in agency: String, ofInspector inspector: String? = nil
  ) throws -> [UInt8] {
    if name == "task.kml" {
      return try kml(of: .tasks([id]), in: agency, ofInspector: inspector)
    }
    guard inspector == nil || name == "task.pdf" else {
      throw OfficeRefusal(.roleForbidden, "a bundle is given out by officers: ask one for it")
    }
    return try Self.made { path in
      if name == "task.pdf" {
        // One file for one answer, however many photos there are: their pictures wait on the disk.
        try writeDossier(
          ofTask: id, in: agency, ofInspector: inspector, toFile: path, photosPerVolume: .max)
      } else {
        try Evidence.Bundle.write(
          try bundle(ofTask: id, in: agency), made: clock.deviceTime, toFile: path)
      }
    }
  }

  /// What is chosen, as KML.
  func kml(
    of choice: Choice, in agency: String, ofInspector inspector: String? = nil
  ) throws -> [UInt8] {
    try Self.made { path in
      try export(choice, in: agency, ofInspector: inspector, as: .kml, toFile: path)
    }
  }

  /// A photo without a task as PDF.
  func pdf(of received: ReceivedPhoto) throws -> [UInt8] {
    try Self.made { path in
      let dossier = try dossier(of: received)
      try writingPDF { (fonts) throws(PDFError) in
        try PDFDocument.write(dossier, fonts: fonts, toFile: path)
      }
    }
  }

  /// The bytes of a file that is made for one answer.
  private static func made(_ make: (_ path: String) throws -> Void) throws -> [UInt8] {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("standpoint-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try make(path)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw OfficeRefusal(.exportImpossible, "the file could not be written on the office's disk")
    }
    return Array(data)
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
  enum PictureSize: String {
    /// To be looked at.
    case preview
    /// One of many.
    case thumbnail

    fileprivate var longestSidePixels: Int { self == .preview ? 1280 : 320 }
  }

  /// A photo small enough for a page. It is made once; it is no evidence.
  func picture(_ size: PictureSize, of photo: Photo) throws -> [UInt8] {
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
