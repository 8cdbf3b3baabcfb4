import Evidence
import Foundation
import Imagery
import Inspection
import Office
import OfficePages
import Store
import Sync
import TimeAndText
import Web

/// The web service of the predecessor, EGNSS4CAP, in addition to the office's own: phones send
/// photos and paths through it, and an older office's data are carried over into it. The executable
/// adds it to the office; an office to which it is not added works without it.
package final class PredecessorService: AddedService, PageAddition {
  /// True if phones are answered. If false, photos and paths that came earlier are shown anyway.
  let isServed: Bool
  /// The largest picture that a phone may send, bytes.
  let maximumPictureBytes: Int
  /// The most bytes of points, as they were sent, of all paths in one answer to a phone: enough for
  /// a week of long days.
  let maximumPathsBytes: Int
  /// The state that the service keeps while the program runs.
  let desk: PhoneDesk

  /// The largest picture that a phone may send by default, bytes: 32 MiB.
  package static let usualPictureBytes = 32 << 20

  /// Creates the service for an office with this configuration.
  package init(
    for configuration: OfficeConfiguration, clock: any Timepiece, isServed: Bool = false,
    maximumPictureBytes: Int = PredecessorService.usualPictureBytes,
    maximumPathsBytes: Int = 32 << 20
  ) {
    self.isServed = isServed
    self.maximumPictureBytes = maximumPictureBytes
    self.maximumPathsBytes = maximumPathsBytes
    desk = PhoneDesk(
      folder: configuration.folder.appendingPathComponent("phones").path, clock: clock)
  }

  // MARK: the office

  package func begin(in core: OfficeCore) async throws {
    if isServed { try await core.clearPhoneSpool(desk.folder) }
  }

  package func measure(
    _ photo: Identifier, in agency: String, of core: OfficeCore
  ) async throws -> ArrivalMeasure? {
    guard try await core.database.read(in: agency, { try $0.phones.phonePhoto(photo) }) != nil
    else {
      return nil
    }
    // A phone's photo has no seal that a verifier could check.
    let name = EvidenceName.file(.capture, photo)
    let bytes = try core.photos.bytes(of: name)
    if bytes == nil, try core.photos.holds(name) {
      throw OfficeRefusal(.storeUnavailable, "\(name) cannot be read")
    }
    return ArrivalMeasure(
      report: nil, window: nil,
      imageDigest: bytes.flatMap { try? CaptureDigests.image(of: $0) },
      fileBytes: bytes?.count, probe: bytes.flatMap { try? PictureProbe(jpeg: $0) },
      missing: bytes == nil ? [name] : [], fileDigest: bytes.map { Digest.hexadecimal($0) })
  }

  package func conclude(
    _ received: ReceivedPhoto, _ measure: ArrivalMeasure, _ similar: inout SimilarPictures,
    in session: any AgencyTransaction
  ) throws -> ReceivedPhoto? {
    guard let phone = try session.phones.phonePhoto(received.photo.id) else { return nil }
    return try PhoneExamination(session: session).concluded(received, phone, measure, &similar)
  }

  package func track(_ id: Identifier, in session: any ReadingTransaction) throws -> Track? {
    guard let phone = try session.phones.phoneTrack(id) else { return nil }
    return try PhonePath(phone).track(try session.tracks.track(id), agency: session.agency)
  }

  package func forEachFile(
    in session: any AgencyTransaction, _ body: (_ name: String, _ digest: String) throws -> Void
  ) throws {
    try session.phones.forEachPhonePhoto { id, digest in
      try body(EvidenceName.file(.capture, id), digest)
    }
  }

  package func words(for check: PhotoCheck, _ t: Texts) -> String? {
    PhoneCheckWords(t: t).words(for: check)
  }

  // MARK: the pages

  package func add(to routes: inout Routes, of office: OfficeServer) {
    PhonePages(office: office, service: self).add(to: &routes)
    PhoneFacts(office: office).add(to: &routes)
    if isServed {
      PhoneScripts(office: office, service: self).add(to: &routes)
    } else {
      PhoneScripts.hideAddresses(in: &routes)
    }
  }

  package func links(
    for reader: PageReader, _ t: Texts
  ) -> [(title: String, href: String)] {
    reader.role == .administrator ? [(t("Phones"), "/phones")] : []
  }

  package func words(forDone done: String, _ t: Texts) -> String? {
    switch done {
    case "phones": t("Saved. It applies from the phones' next request.")
    case "phonesOff": t("Phones are disabled.")
    case "phonesEnded": t("Logged out. Phones ask for the password again.")
    default: nil
    }
  }

  package func facts(
    ofPhoto received: ReceivedPhoto, _ reader: PageReader, of office: OfficeServer
  ) async throws -> HTML? {
    try await PhoneFacts(office: office).facts(of: received, reader)
  }

  package func facts(
    ofTask task: Identifier, _ reader: PageReader, of office: OfficeServer
  ) async throws -> HTML? {
    try await OlderOfficeFacts(office: office).facts(of: .task, task, reader)
  }
}
