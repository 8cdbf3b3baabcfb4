import Positioning

/// A Bluetooth device in reach, as BlueZ knows it.
public struct BluetoothDevice: Hashable, Sendable {
  /// Its address.
  public let address: BluetoothAddress
  /// The name that it gives itself; nil where it has not been heard.
  public let name: String?
  /// Its class of device, 24 bits. Source: Bluetooth Assigned Numbers, section 2.8.
  public let deviceClass: Int?
  /// Strength of its signal; nil where the radio does not say.
  public let signalDecibelMilliwatts: Int?
  /// Whether it offers a serial port, by its service records; nil where it has not been asked.
  public var offersSerialPort: Bool?
  /// Whether this machine is paired with it.
  public let isPaired: Bool

  /// A device with these properties.
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

  /// What kind of thing it is, in a word.
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

/// Why something with Bluetooth could not be done: words for the inspector, and a code for programs.
public struct BluetoothFailure: Error, Hashable, Worded {
  /// What it is about.
  public enum Kind: String, Sendable {
    /// This machine cannot: no BlueZ, no adapter, switched off.
    case unavailable
    /// The device, or the person, said no.
    case refused
  }

  /// What it is about.
  public let kind: Kind
  /// What happened and what to do next.
  public let wording: Wording

  /// A failure in words.
  public init(kind: Kind, wording: Wording) {
    self.kind = kind
    self.wording = wording
  }
}

extension BluetoothFailure {
  /// BlueZ's errors, and the bus's.
  init(_ failure: BusFailure, device: BluetoothAddress?) {
    let name: Wording = device.map { Wording(verbatim: "\($0)") } ?? "the device"
    let known: (Kind, Wording)? =
      switch failure.name.split(separator: ".").last ?? "" {
      case "AuthenticationFailed": (.refused, "\(name) refuses: the PIN is wrong")
      case "AuthenticationRejected": (.refused, "\(name) refuses to be paired")
      case "AuthenticationCanceled": (.refused, "\(name) or you broke the pairing off")
      case "AuthenticationTimeout":
        (.refused, "\(name) did not answer in time: is it waiting for somebody to agree?")
      case "ConnectionAttemptFailed":
        (.refused, "\(name) does not answer: is it switched on, in reach, and ready to be paired?")
      case "DoesNotExist", "UnknownObject":
        (.refused, "\(name) is not in reach: look for it with standpoint gnss scan")
      case "InProgress": (.refused, "\(name) is being paired already")
      case "NotReady": (.unavailable, "Bluetooth is switched off on this machine")
      case "ServiceUnknown", "NameHasNoOwner", "Spawn", "ChildExited":
        (.unavailable, "BlueZ is not running on this machine (package bluez)")
      case "FileNotFound", "NoServer", "disconnected":
        (.unavailable, "this machine has no system bus to ask BlueZ over")
      case "AccessDenied":
        (.unavailable, "BlueZ lets this user do nothing: join the group bluetooth")
      case "no-adapter": (.unavailable, "Bluetooth: this machine has no Bluetooth adapter")
      case "NoReply", "Timeout": (.refused, "\(name) did not answer in time")
      default: nil
      }
    kind = known?.0 ?? .unavailable
    // What BlueZ says in other cases: one line of it.
    let words = failure.words.split(whereSeparator: \.isNewline).first ?? ""
    wording = known?.1 ?? "Bluetooth: \(words.prefix(200))"
  }
}
