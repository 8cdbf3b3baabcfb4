import Evidence
import Geodesy
import Inspection
import Positioning
import Store
import Sync

/// One transaction on what belongs to no single agency: who there is, and who is signed in.
public protocol RegistryTransaction {
  func agencies() throws -> [Agency]
  func agency(_ name: String) throws -> Agency?
  func insert(_ agency: Agency) throws
  func setTitle(_ title: String, ofAgency name: String) throws
  func accounts(ofAgency agency: String?) throws -> [Account]
  func account(_ login: String) throws -> (account: Account, password: String)?
  func insert(_ account: Account, password: String, at time: DeviceTime) throws
  func setPassword(_ password: String, of login: String) throws
  func setDisabled(_ time: DeviceTime?, login: String) throws
  @discardableResult
  func replacePassword(_ stored: String, of login: String, with text: String) throws -> Bool
  func endSessions(of login: String) throws
  func insertSession(
    digest: String, account: Account, key: String?, at time: DeviceTime, expires: DeviceTime) throws
  func session(
    digest: String
  ) throws -> (account: Account, key: String?, expires: DeviceTime)?
  func sessions(of login: String, at time: DeviceTime) throws -> [OpenSession]
  func extendSession(digest: String, at time: DeviceTime, expires: DeviceTime) throws
  func endSession(digest: String) throws
  func removeExpiredSessions(at time: DeviceTime) throws
  func figures(at time: DeviceTime) throws -> OfficeFigures
  func log(_ entry: LogEntry) throws
  func forEachLogEntry(_ body: (LogEntry) throws -> Void) throws
  func brokenLogPlace() throws -> Int?
}
