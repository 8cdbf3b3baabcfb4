import Inspection
import Office
import Positioning
import Store
import Sync

/// Reads the phones' rows that somebody may see: all of an agency's, or one inspector's.
package protocol PhoneReads {
  /// Reads the fields that a phone sent with a photo; nil for a photo that came otherwise.
  func phonePhoto(_ id: Identifier) throws -> PhonePhoto?
  /// Reads the fields that a phone sent of a track; nil for a track that came otherwise.
  func phoneTrack(_ id: Identifier) throws -> PhoneTrack?
  /// Reads which older office a thing came from; nil for a thing that was not carried over.
  func carriedOver(_ kind: CarriedOver.Kind, subject: String) throws -> CarriedOver?
}

/// Keeps what the predecessor's phones and older offices brought to an agency.
package protocol PhoneRecords: PhoneReads {
  /// The number by which phones know a thing of the agency; nil where none has asked yet.
  func phoneNumber(_ kind: PhoneNumberKind, of subject: String) throws -> Int64?
  /// The same; one is drawn where there is none yet.
  func makePhoneNumber(_ kind: PhoneNumberKind, of subject: String) throws -> Int64
  /// What of the agency a number stands for; nil where it stands for nothing of it, or for another kind.
  func phoneSubject(_ kind: PhoneNumberKind, number: Int64) throws -> String?
  /// The numbers of an inspector's tasks, of those that have one.
  func phoneTaskNumbers(ofInspector login: String) throws -> [Identifier: Int64]
  /// The whole photos of each of an inspector's tasks, the oldest first.
  func phonePhotos(ofTasksOf login: String) throws -> [Identifier: [NumberedPhoto]]
  /// The newest of an inspector's whole photos that are of no task and not hidden, the oldest of them first.
  func phonePhotosWithoutTask(ofInspector login: String, limit: Int) throws -> [NumberedPhoto]
  /// Somebody has logged in from a network.
  func notePhoneLogin(of login: String, network: String, at time: DeviceTime) throws
  /// Whether somebody who may work for the agency as an inspector has logged in from a network since a moment.
  func hasPhoneLogin(of login: String, network: String, since time: DeviceTime) throws -> Bool
  /// Whether anybody has logged in from a network since a moment.
  func hasPhoneLogin(network: String, since time: DeviceTime) throws -> Bool
  /// The logins on phones since a moment of those who may work for the agency as inspectors: by login, the last one
  /// first.
  func phoneLogins(since time: DeviceTime, limit: Int) throws -> [PhoneLogin]
  @discardableResult
  /// Somebody has to log in again on each phone.
  /// - Returns: how many logins have ended.
  func endPhoneLogins(of login: String) throws -> Int
  /// How much phones have sent since a moment.
  /// - Parameter limit: no more than so many of a kind are counted.
  func phoneArrivals(since time: DeviceTime, limit: Int) throws -> PhoneArrivals
  /// Keeps what a phone sent with a photo that is there.
  func insert(_ phone: PhonePhoto, fileDigest: String) throws
  /// The photo of an inspector with these bytes which the office has already, and a phone sends: with the same time or the
  /// same digest, since Android writes the time otherwise of a photo that it has fetched here, and keeps the digest. Of one
  /// that was carried over from an older office the app's own words for the time may be lost: there the bytes decide. A
  /// field unit's photo, which phones fetch with the file's digest in the place of the app's, is sent back by that.
  func phonePhoto(
    ofInspector login: String, fileDigest: String, created: String?, digest: String?,
    task: Identifier?
  ) throws -> Identifier?
  /// A photo of an inspector, by the app's digest, or by its bytes where one of the two has no digest, or the app's words
  /// for the time are the same or lost for both: the digest is over the time, too, and the same bytes at another time are
  /// another photo, for which somebody may have sent a picture once more.
  func phonePhoto(
    ofInspector login: String, fileDigest: String, orDigest digest: String?, created: String?
  ) throws -> Identifier?
  /// The files of every photo that came from a phone and was not deleted, with their digests.
  func forEachPhonePhoto(_ body: (_ id: Identifier, _ digest: String) throws -> Void) throws
  /// Keeps what a phone sent of a track that is there.
  func insert(_ phone: PhoneTrack) throws
  /// The path of an inspector with this content, which a phone has sent before.
  func phoneTrack(ofInspector login: String, contentDigest: String) throws -> Identifier?
  /// The newest tracks that an inspector's phones have sent, in the order in which they came.
  func phoneTracks(ofInspector login: String, limit: Int) throws -> [Identifier]
  /// Keeps that something was carried over. It is the agency's own, whatever it says.
  func insert(_ carried: CarriedOver) throws
  /// What a number of an older database has become; nil where it was not carried over to this agency.
  func carriedOver(
    _ kind: CarriedOver.Kind, number: Int64, source: String
  ) throws -> CarriedOver?
}

/// Keeps how agencies let phones in, and which agencies and people an older office brought.
package protocol PhoneRegistry {
  /// How an agency lets phones in; nil where it does not.
  func phoneService(ofAgency agency: String) throws -> PhoneService?
  /// The service behind a secret address, by the digest of what is secret in it.
  func phoneService(prefixDigest: String) throws -> PhoneService?
  /// The service that phones ask for by a name of HTTP's Basic scheme.
  func phoneService(basicLogin login: String) throws -> PhoneService?
  /// Lays down how an agency lets phones in.
  func keep(_ service: PhoneService) throws
  /// From now on an agency lets no phone in, and all logins on phones have ended.
  func removePhoneService(ofAgency agency: String) throws
  /// Keeps that an agency or a person was carried over.
  func insert(_ carried: CarriedOver) throws
  /// What a number of an older database has become, whichever agency it came to; nil where it has come to none.
  func carriedOver(
    _ kind: CarriedOver.Kind, number: Int64, source: String
  ) throws -> CarriedOver?
}

/// A transaction whose engine also keeps phones' rows. The office's own port does not know them.
package protocol PhoneReadingTransaction: ReadingTransaction {
  associatedtype Phones: PhoneReads
  var phones: Phones { get }
}

/// A transaction whose engine also keeps phones' records.
package protocol PhoneTransaction: AgencyTransaction {
  associatedtype Phones: PhoneRecords
  var phones: Phones { get }
}

extension ReadingTransaction {
  /// The phones' rows behind this transaction.
  /// - Throws: `StoreError.unavailable` if the office's database keeps none.
  package var phones: any PhoneReads {
    get throws {
      if let own = self as? any PhoneReadingTransaction { return own.phones }
      if let all = self as? any PhoneTransaction { return all.phones }
      throw StoreError.withoutPhones
    }
  }
}

extension AgencyTransaction {
  /// The phones' records behind this transaction.
  /// - Throws: `StoreError.unavailable` if the office's database keeps none.
  package var phones: any PhoneRecords {
    get throws {
      guard let own = self as? any PhoneTransaction else { throw StoreError.withoutPhones }
      return own.phones
    }
  }
}

extension RegistryTransaction {
  /// The registry's records of phones.
  /// - Throws: `StoreError.unavailable` if the office's database keeps none.
  package var phones: any PhoneRegistry {
    get throws {
      guard let own = self as? any PhoneRegistry else { throw StoreError.withoutPhones }
      return own
    }
  }
}

extension StoreError {
  fileprivate static let withoutPhones = StoreError.unavailable(
    path: "the office's database", reason: "this engine keeps no phones' records")
}

extension VisiblePhoneRows: PhoneReads {}
extension PhoneTable: PhoneRecords {}
extension AgencyReading: PhoneReadingTransaction {}
extension AgencySession: PhoneTransaction {}
extension RegistrySession: PhoneRegistry {}
