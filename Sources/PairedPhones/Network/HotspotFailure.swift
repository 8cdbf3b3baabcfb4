import MachineBus
import TimeAndText

/// The reason why this device has no hotspot.
package enum HotspotFailure: Error, Hashable, Sendable, Worded {
  /// The system bus, or NetworkManager on it, is not there.
  case noService
  /// NetworkManager has not answered.
  case noAnswer
  /// This device has no Wi-Fi, or none of that name.
  case noRadio(name: String?)
  /// The Wi-Fi is switched off.
  case switchedOff
  /// NetworkManager leaves the Wi-Fi to others.
  case unmanaged(name: String)
  /// NetworkManager cannot use the Wi-Fi now.
  case notReady(name: String)
  /// The hotspot is up already, on another Wi-Fi than the one that was asked for.
  case upElsewhere(name: String)
  /// Another Wi-Fi would be taken, or another network would end, than the person was told.
  case changed
  /// The hotspot has ended, and nobody on this device ended it through us.
  case ended
  /// The Wi-Fi can join networks and make none.
  case joinsOnly(name: String)
  /// The user of the field unit may not make networks.
  case forbidden
  /// NetworkManager could not hand out addresses.
  case noAddresses
  /// NetworkManager began, and gave up for the reason of this number (`NMDeviceStateReason`); nil for a reason
  /// that it did not tell.
  case gaveUp(reason: Int?)
  /// NetworkManager refused, in its own words.
  case refused(words: String)

  /// The message for people.
  package var wording: Wording {
    switch self {
    case .noService:
      "NetworkManager does not run on this device, which makes hotspots: use a Wi-Fi that is there, or the phone's own hotspot"
    case .noAnswer: "NetworkManager does not answer: try again"
    case .noRadio(let name?): "this device has no Wi-Fi \(name)"
    case .noRadio(nil):
      "this device has no Wi-Fi: let the phone share its network over USB, or plug in a Wi-Fi adapter"
    case .switchedOff: "the Wi-Fi of this device is switched off: switch it on, and try again"
    case .unmanaged(let name):
      "NetworkManager does not manage the Wi-Fi \(name): take it out of /etc/network/interfaces, or stop hostapd"
    case .notReady(let name):
      "the Wi-Fi \(name) is not ready: wait a moment; its driver or wpa_supplicant may be missing (journalctl -u NetworkManager)"
    case .upElsewhere(let name): "the hotspot is up with \(name): end it first"
    case .changed:
      "the networks of this device have changed meanwhile: look again, and decide again"
    case .ended:
      "the hotspot has ended by itself: NetworkManager's log says why (journalctl -u NetworkManager)"
    case .joinsOnly(let name):
      "the Wi-Fi \(name) can join networks and make none: use the phone's own hotspot, or another Wi-Fi adapter"
    case .forbidden:
      "the field unit's user may not make a hotspot: docs/phone.md says which rule of polkit lets it"
    case .noAddresses:
      "NetworkManager could not give phones addresses: install dnsmasq-base (apt install dnsmasq-base), and let no other DNS or DHCP server run"
    case .gaveUp(let reason?):
      "the hotspot did not come up (NetworkManager's reason \(reason)): its log says more (journalctl -u NetworkManager)"
    case .gaveUp(nil):
      "the hotspot did not come up: NetworkManager's log says why (journalctl -u NetworkManager)"
    case .refused(let words): "NetworkManager refuses: \(words)"
    }
  }

  /// Translates a failure of the bus.
  init(_ failure: BusFailure) {
    if failure.isAbsence || failure.name.hasSuffix(".FileNotFound")
      || failure.name.hasSuffix(".NoServer") || failure.name == "disconnected"
    {
      self = .noService
    } else if failure.isSilence {
      self = .noAnswer
    } else if failure.isForbidden {
      self = .forbidden
    } else {
      self = .refused(words: failure.words)
    }
  }
}
