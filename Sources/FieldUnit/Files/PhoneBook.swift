import Evidence
import Foundation
import Inspection
import Store
import TimeAndText

/// The phones of a data directory, in one file that commands and the running program share.
package struct PhoneBook: Sendable {
  private let path: String
  private let lock: String

  /// Creates the book of a data directory.
  package init(dataDirectory: URL) { self.init(DataFolder(dataDirectory: dataDirectory)) }

  init(_ folder: DataFolder) {
    (path, lock) = (folder.keys + "/phones.json", folder.keys + "/phones.lock")
  }

  /// Reads the register; it is empty if no phone was ever paired.
  /// - Throws: `FieldUnitError.unreadable` if the file is there and cannot be read: a phone that was ended
  ///   must not come back, nor one be forgotten in silence.
  package func register() throws -> PhoneRegister {
    guard FileStatus(ofPath: path) != nil else { return PhoneRegister() }
    do {
      return try JSONDecoder().decode(
        PhoneRegister.self, from: Data(try DurableFile.read(path)))
    } catch {
      throw FieldUnitError.unreadable(
        path: path, reason: "it does not list phones: remove it, and pair your phones again")
    }
  }

  /// Ends all phones of a person, at sign-out. A register that cannot be read lets no phone in, and must
  /// not keep anybody from signing out.
  func endAll(of person: Person) throws {
    do {
      try change { $0.endAll(of: person) }
    } catch FieldUnitError.unreadable {}
  }

  /// Changes the register, and keeps it also if `body` throws: a wrong code counts.
  package func change<Result>(_ body: (inout PhoneRegister) throws -> Result) throws -> Result {
    try DurableFile.makeFolder((path as NSString).deletingLastPathComponent)
    return try DurableFile.withLock(lock) {
      var register = try register()
      let before = register
      let result = Swift.Result { try body(&register) }
      if register != before {
        try DurableFile.replace(path, with: Array(try JSONEncoder().encode(register)))
      }
      return try result.get()
    }
  }
}
