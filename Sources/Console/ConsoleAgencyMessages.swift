import Evidence
import Inspection
import Office
import Positioning
import Sync
import TimeAndText

// The console's messages about an agency: its people, devices, policy and log.

/// All people of an agency.
struct ConsolePeople: Encodable, Sendable {
  var people: [ConsolePerson]
}

/// A person of an agency.
struct ConsolePerson: Encodable, Sendable {
  var login: String
  var name: String?
  var role: String
  /// The time since which the person may not sign in; absent while sign-in is allowed.
  var disabled: String?

  init(_ account: Account) {
    login = account.login
    name = account.name
    role = account.role.rawValue
    disabled = account.disabled?.rfc3339
  }
}

/// All devices of an agency.
struct ConsoleDevices: Encodable, Sendable {
  var devices: [ConsoleDevice]
}

/// A device that may deliver now, or once might.
struct ConsoleDevice: Encodable, Sendable {
  var key: String
  var inspector: String
  var device: String
  var software: String?
  var enrolled: String
  var signedOut: String?
  var revoked: String?
  var revokedReason: String?

  init(_ device: EnrolledDevice) {
    key = device.key
    inspector = device.inspector
    self.device = device.device
    software = device.software
    enrolled = device.enrolled.rfc3339
    signedOut = device.signedOut?.rfc3339
    revoked = device.revoked?.rfc3339
    revokedReason = device.revokedReason
  }
}

/// A page of the log, the newest entries first.
struct ConsoleLog: Encodable, Sendable {
  struct Entry: Encodable, Sendable {
    var number: Int64
    var time: String
    var person: String
    var action: String
    var subject: String
    var detail: String?
  }

  var entries: [Entry]
  /// The cursor of the next page; nil if there are no more entries.
  var next: String?
}
