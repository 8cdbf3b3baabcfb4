import Inspection
import Office
import Positioning
import Store
import Sync
import TimeAndText

/// Reads the phones' rows that the reader may see: all of the agency's rows, or one inspector's.
package protocol PhoneReads {
  /// Reads the fields that a phone sent with a photo; nil for a photo that no phone's app sent.
  func phonePhoto(_ id: Identifier) throws -> PhonePhoto?
  /// Reads the fields that a phone sent of a track; nil for a track that no phone's app sent.
  func phoneTrack(_ id: Identifier) throws -> PhoneTrack?
  /// Reads the older office that a thing came from; nil for a thing that was not carried over.
  func carriedOver(_ kind: CarriedOver.Kind, subject: String) throws -> CarriedOver?
}

/// Keeps the records that the predecessor's phones and older offices brought to an agency.
package protocol PhoneRecords: PhoneReads {
  /// Returns the number by which phones know a thing of the agency; nil if the thing has no number
  /// yet.
  func phoneNumber(_ kind: PhoneNumberKind, of subject: String) throws -> Int64?
  /// Returns the number by which phones know a thing of the agency, and draws one if there is none
  /// yet.
  func makePhoneNumber(_ kind: PhoneNumberKind, of subject: String) throws -> Int64
  /// Finds the agency's thing that a number names; nil if the number is unknown there or of another
  /// kind.
  func phoneSubject(_ kind: PhoneNumberKind, number: Int64) throws -> String?
  /// Returns the numbers of an inspector's tasks, for the tasks that have one.
  func phoneTaskNumbers(ofInspector login: String) throws -> [Identifier: Int64]
  /// Returns the photos of each of an inspector's tasks, the oldest first, without deleted photos.
  func phonePhotos(ofTasksOf login: String) throws -> [Identifier: [NumberedPhoto]]
  /// Returns the newest of an inspector's photos that belong to no task and are neither hidden nor
  /// deleted: at most `limit`, the oldest of them first.
  func phonePhotosWithoutTask(ofInspector login: String, limit: Int) throws -> [NumberedPhoto]
  /// Records that an inspector has logged in from a network.
  func notePhoneLogin(of login: String, network: String, at time: DeviceTime) throws
  /// Returns true if the inspector has logged in from the network since `time`, and may still work
  /// for the agency.
  func hasPhoneLogin(of login: String, network: String, since time: DeviceTime) throws -> Bool
  /// Returns true if any inspector who may still work for the agency has logged in from the network
  /// since `time`.
  func hasPhoneLogin(network: String, since time: DeviceTime) throws -> Bool
  /// Returns the logins on phones since `time` of inspectors who may still work for the agency,
  /// sorted by login name, and for each name the latest first.
  /// - Parameter limit: the most logins that are returned.
  func phoneLogins(since time: DeviceTime, limit: Int) throws -> [PhoneLogin]
  /// Ends all logins of an inspector on phones: the inspector has to log in again on each.
  /// - Returns: how many logins have ended.
  @discardableResult
  func endPhoneLogins(of login: String) throws -> Int
  /// Counts the photos and paths that phones have sent since `time`.
  /// - Parameter limit: the highest count of each kind; more are not counted.
  func phoneArrivals(since time: DeviceTime, limit: Int) throws -> PhoneArrivals
  /// Keeps the fields that a phone sent with a photo that is already stored.
  func insert(_ phone: PhonePhoto, fileDigest: String) throws
  /// Finds an inspector's photo that the office has already and a phone sends again; nil if it is
  /// new.
  ///
  /// The bytes must be the same, and so must the time or the app's digest: for a photo that it has
  /// fetched from here Android writes another time, but keeps the digest. For a photo that was
  /// carried over from an older office the bytes decide, because the app's own text of the time may
  /// be lost. A field unit's photo has no app's digest: phones fetch it with the file's digest in
  /// that place, and send it back with that.
  func phonePhoto(
    ofInspector login: String, fileDigest: String, created: String?, digest: String?,
    task: Identifier?
  ) throws -> Identifier?
  /// Finds an inspector's photo by the app's digest or by its bytes; nil if there is none.
  ///
  /// The bytes decide if one of the two photos has no digest, or if the app's text of the time is
  /// the same, or lost, for both. They are not enough otherwise, because the digest also covers the
  /// time: the same bytes at another time are another photo, for which the inspector may have sent
  /// a picture twice.
  func phonePhoto(
    ofInspector login: String, fileDigest: String, orDigest digest: String?, created: String?
  ) throws -> Identifier?
  /// Calls `body` for each photo that came from a phone, with the digest of its file as it came.
  func forEachPhonePhoto(_ body: (_ id: Identifier, _ digest: String) throws -> Void) throws
  /// Keeps the fields and points that a phone sent of a track that is already stored.
  func insert(_ phone: PhoneTrack) throws
  /// Finds an inspector's path with this content, sent by a phone before; nil if there is none.
  func phoneTrack(ofInspector login: String, contentDigest: String) throws -> Identifier?
  /// Returns the newest tracks that an inspector's phones have sent, at most `limit`, in the order
  /// of their arrival; deleted and hidden tracks are left out.
  func phoneTracks(ofInspector login: String, limit: Int) throws -> [Identifier]
  /// Records a thing that was carried over, as this agency's own, whatever agency the record names.
  func insert(_ carried: CarriedOver) throws
  /// Finds the thing that a number of an older database has become; nil if the number was not
  /// carried over to this agency.
  func carriedOver(
    _ kind: CarriedOver.Kind, number: Int64, source: String
  ) throws -> CarriedOver?
}

/// Keeps the agencies' services for phones, and the agencies and people that an older office
/// brought.
package protocol PhoneRegistry {
  /// Returns an agency's service for phones; nil if the agency lets no phone in.
  func phoneService(ofAgency agency: String) throws -> PhoneService?
  /// Finds the service of a secret address, by the digest of the secret part; nil if none has it.
  func phoneService(prefixDigest: String) throws -> PhoneService?
  /// Finds the service that phones reach with a name of HTTP's Basic scheme; nil if none has that
  /// name.
  func phoneService(basicLogin login: String) throws -> PhoneService?
  /// Saves an agency's service for phones.
  func keep(_ service: PhoneService) throws
  /// Removes an agency's service for phones: from now on no phone is let in, and all logins on
  /// phones have ended.
  func removePhoneService(ofAgency agency: String) throws
  /// Records an agency or a person that was carried over.
  func insert(_ carried: CarriedOver) throws
  /// Finds the thing that a number of an older database has become, in any agency; nil if the
  /// number was not carried over.
  func carriedOver(
    _ kind: CarriedOver.Kind, number: Int64, source: String
  ) throws -> CarriedOver?
}

/// A transaction whose engine also keeps phones' rows. The office's own port does not know these
/// rows.
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
  /// The phones' rows that this transaction reads.
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
  /// The phones' records that this transaction reads and writes.
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
