import FieldUnit
import Foundation
import Inspection
import Store
import TimeAndText

/// Makes a code for a phone beside a running field unit.
package enum PhoneInvitation {
  /// Makes a code for a person, and says how a phone gets in with it.
  /// - Parameter address: the address of this device to use; nil takes the first one.
  /// - Parameter lens: the distance between antenna and lens of the phone's photos; nil for none.
  /// - Returns: nil if this device has no address, or its field unit never ran; no code is made then.
  package static func make(
    in dataDirectory: URL, for person: Person, address: String?, lens: LensOffset? = nil,
    at now: DeviceTime
  ) throws -> (invitation: PhoneDesk.Invitation?, expires: DeviceTime) {
    let desk = PhoneDesk(
      keys: DataFolder(dataDirectory: dataDirectory).keys, at: now, serves: false)
    let expires = now.advanced(bySeconds: PhoneRegister.codeSeconds)
    guard try desk.canInvite(address: address) else { return (nil, expires) }
    let code = try PhoneGate.makeCode(
      in: PhoneBook(dataDirectory: dataDirectory), for: person, lens: lens, at: now)
    return (try desk.invitation(code, address: address), expires)
  }
}
