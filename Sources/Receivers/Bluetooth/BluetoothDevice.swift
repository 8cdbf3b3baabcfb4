import MachineBus
import Positioning
import TimeAndText

/// A Bluetooth device in reach, as BlueZ knows it.
public struct BluetoothDevice: Hashable, Sendable {
  /// The address of the device.
  public let address: BluetoothAddress
  /// The name that the device gives itself; nil if it has not been heard.
  public let name: String?
  /// The class of device, 24 bits; nil if unknown. Source: Bluetooth Assigned Numbers, section 2.8.
  public let deviceClass: Int?
  /// The strength of the device's signal, dBm; nil if the radio does not report it.
  public let signalDecibelMilliwatts: Int?
  /// True if the device offers a serial port, by its service records; nil if it has not been asked.
  public var offersSerialPort: Bool?
  /// True if this machine is paired with the device.
  public let isPaired: Bool

  /// Creates a device.
  public init(
    address: BluetoothAddress, name: String?, deviceClass: Int?, signalDecibelMilliwatts: Int?,
    offersSerialPort: Bool?, isPaired: Bool
  ) {
    self.address = address
    self.name = name
    self.deviceClass = deviceClass
    self.signalDecibelMilliwatts = signalDecibelMilliwatts
    self.offersSerialPort = offersSerialPort
    self.isPaired = isPaired
  }

  /// The kind of device, in a word or two; nil if its class is unknown.
  public var kind: Wording? {
    guard let deviceClass else { return nil }
    return switch deviceClass >> 8 & 0x1F {
    case 1: "computer"
    case 2: "phone"
    case 3: "network access point"
    case 4: "audio or video"
    case 5: "keyboard or pointer"
    case 6: "printer or camera"
    case 7: "wearable"
    default: deviceClass & 1 << 16 != 0 ? "positioning" : "other"
    }
  }
}

/// A failure of a Bluetooth action: words for the inspector, and a code for programs.
public struct BluetoothFailure: Error, Hashable, Worded {
  /// The kind of failure.
  public enum Kind: String, Sendable {
    /// This machine cannot use Bluetooth: it has no BlueZ or no adapter, or the adapter is switched
    /// off.
    case unavailable
    /// The device or the person refused, or the device did not answer.
    case refused
  }

  /// The kind of failure.
  public let kind: Kind
  /// The message for people: what happened, and what to do next.
  public let wording: Wording

  /// Creates a failure.
  public init(kind: Kind, wording: Wording) {
    self.kind = kind
    self.wording = wording
  }
}

extension BluetoothFailure {
  /// Translates an error of BlueZ or of the bus.
  init(_ failure: BusFailure, device: BluetoothAddress?) {
    let name: Wording = device.map { Wording(verbatim: "\($0)") } ?? "the device"
    let known: (Kind, Wording)? =
      switch failure.name.split(separator: ".").last ?? "" {
      case "AuthenticationFailed": (.refused, "\(name) refuses: the PIN is wrong")
      case "AuthenticationRejected": (.refused, "\(name) refuses to be paired")
      case "AuthenticationCanceled": (.refused, "\(name) or you cancelled the pairing")
      case "AuthenticationTimeout":
        (.refused, "\(name) did not answer in time: is it waiting for somebody to agree?")
      case "ConnectionAttemptFailed":
        (.refused, "\(name) does not answer: is it switched on, in range, and ready to be paired?")
      case "DoesNotExist", "UnknownObject":
        (.refused, "\(name) is not in range: look for it with standpoint gnss scan")
      case "InProgress": (.refused, "\(name) is already being paired")
      case "NotReady": (.unavailable, "Bluetooth is switched off on this machine")
      case "ServiceUnknown", "NameHasNoOwner", "Spawn", "ChildExited":
        (.unavailable, "BlueZ is not running on this machine (package bluez)")
      case "FileNotFound", "NoServer", "disconnected":
        (.unavailable, "this machine has no system bus to ask BlueZ over")
      case "AccessDenied":
        (.unavailable, "BlueZ refuses this user: add the user to the group bluetooth")
      case "no-adapter": (.unavailable, "Bluetooth: this machine has no Bluetooth adapter")
      case "NoReply", "Timeout": (.refused, "\(name) did not answer in time")
      default: nil
      }
    kind = known?.0 ?? .unavailable
    // An unknown error is shown with one line of BlueZ's own words.
    let words = failure.words.split(whereSeparator: \.isNewline).first ?? ""
    wording = known?.1 ?? "Bluetooth: \(words.prefix(200))"
  }
}
