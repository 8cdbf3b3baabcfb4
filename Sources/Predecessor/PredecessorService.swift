import Evidence
import Foundation
import Imagery
import Inspection
import Office
import OfficeFrame
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

  package func sentence(for entry: LogEntry, _ words: LogWords) -> HTML? {
    let t = words.t
    let (who, other) = (words.person(entry.person), words.person(entry.subject))
    let (photo, track, task) = (
      words.photo(entry.subject), words.track(), words.task(entry.subject)
    )
    return switch entry.action {
    case "phone-login": t.html("{1} logged in with a phone", who)
    case "phone-logins-ended": t.html("{1} ended the logins of {2} with phones", who, other)
    case "phones-changed": t.html("{1} changed the settings for phones", who)
    case "phones-ended": t.html("{1} disabled phones", who)
    case "phone-photo": t.html("{1} sent a {2} from a phone", who, photo)
    case "phone-path": t.html("{1} sent a {2} from a phone", who, track)
    case "phone-open": t.html("{1} opened {2} on a phone", who, task)
    case "phone-provide": t.html("{1} submitted {2} from a phone", who, task)
    case "agency-carried-over": t.html("{1} carried the agency over from an older office", who)
    case "person-carried-over": t.html("{1} carried {2} over from an older office", who, other)
    case "task-carried-over": t.html("{1} carried {2} over from an older office", who, task)
    case "photo-carried-over": t.html("{1} carried a {2} over from an older office", who, photo)
    case "track-carried-over": t.html("{1} carried a {2} over from an older office", who, track)
    case "parcels-carried-over": t.html("{1} carried parcels over from an older office", who)
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
