import Evidence
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

/// One transaction on the data of all agencies together: agencies, people, sessions, and the log.
public protocol RegistryTransaction {
  /// Reads all agencies, by name.
  func agencies() throws -> [Agency]
  /// Reads an agency; nil if there is none of this name.
  func agency(_ name: String) throws -> Agency?
  /// Adds an agency.
  func insert(_ agency: Agency) throws
  /// Sets an agency's title, its name on the screen.
  func setTitle(_ title: String, ofAgency name: String) throws
  /// Reads all people, or those of one agency, by login.
  func accounts(ofAgency agency: String?) throws -> [Account]
  /// Reads a person with the stored form of the password; nil if there is no such login.
  func account(_ login: String) throws -> (account: Account, password: String)?
  /// Adds a person; `password` is the stored form.
  func insert(_ account: Account, password: String, at time: DeviceTime) throws
  /// Sets the stored form of a person's password, and ends all of the person's sessions.
  func setPassword(_ password: String, of login: String) throws
  /// Disables a login, or enables it again (nil), and ends all of the person's sessions.
  func setDisabled(_ time: DeviceTime?, login: String) throws
  /// Replaces the stored form of a person's password, if it is still `stored`. The password stays
  /// the same, and sessions go on.
  /// - Returns: true if it was replaced.
  @discardableResult
  func replacePassword(_ stored: String, of login: String, with text: String) throws -> Bool
  /// Ends all sessions of a person.
  func endSessions(of login: String) throws
  /// Begins a session, known by the digest of its token. `key` is the thumbprint of a field unit's
  /// key, nil for a browser.
  func insertSession(
    digest: String, account: Account, key: String?, at time: DeviceTime, expires: DeviceTime) throws
  /// Reads the valid sessions of a person, the most recently used first.
  func sessions(of login: String, at time: DeviceTime) throws -> [OpenSession]
  /// Notes that a session is used, and moves its end to `expires`.
  func extendSession(digest: String, at time: DeviceTime, expires: DeviceTime) throws
  /// Ends a session; one that has ended already is no fault.
  func endSession(digest: String) throws
  /// Removes all sessions that have expired.
  func removeExpiredSessions(at time: DeviceTime) throws
  /// Counts the figures of the whole office: tasks by state, unchecked photos, sessions.
  func figures(at time: DeviceTime) throws -> OfficeFigures
  /// Adds an entry to the log, bound to the entry before it.
  func log(_ entry: LogEntry) throws
  /// Calls `body` with each entry of the log, the oldest first.
  func forEachLogEntry(_ body: (LogEntry) throws -> Void) throws
  /// Calls `body` with number and digest of each entry of the log, from the one of a number on.
  func forEachLogDigest(from number: Int, _ body: (Int, String) throws -> Void) throws
  /// Finds the log's entry of a delivery, with its number and the digest of the entry before; nil if there is none.
  func logEntry(ofDelivery batch: Identifier) throws -> LoggedEntry?
  /// Finds the number of the first entry that does not continue the one before it; nil if all do.
  func brokenLogPlace() throws -> Int?
}
