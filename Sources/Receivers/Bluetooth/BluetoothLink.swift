import Glibc
import MachineBus
import NIOCore
import NIOPosix
import TimeAndText

/// A receiver's serial port profile over RFCOMM.
struct BluetoothLink: ReceiverLink {
  let address: BluetoothAddress
  /// The RFCOMM channel, 1…30, if a person has named one; nil otherwise.
  let channel: Int?
  /// The controller to use, such as `hci0`; nil for the machine's choice.
  let adapter: String?
  /// The machine's Bluetooth; tests use a stand-in, because few machines have Bluetooth.
  var radio: any BluetoothRadio = BlueZRadio()
  var greeting: [UInt8] { [] }

  /// The deadline for a connection, seconds. Paging a device takes up to 5 s, asking for its
  /// services a little more.
  static let connectSeconds = 20.0

  func open(
    _ prepare: @escaping @Sendable (any Channel) throws -> ReceiverChannel
  ) async throws -> ReceiverChannel {
    let late = LinkFailure(
      "no answer within \(Int(Self.connectSeconds)) s: is it switched on and in range?")
    let descriptor = try await BlockingWork.run(seconds: Self.connectSeconds, late: late) {
      try dial()
    } discard: {
      close($0)
    }
    return try await DescriptorChannel.open(descriptor, prepare)
  }

  /// Connects to the given channel; or else to the one under which the device offers a serial port;
  /// or else to 1, which most devices use.
  private func dial() throws -> CInt {
    if let channel {
      return try radio.connect(address, channel: UInt8(channel), adapter: adapter)
    }
    let offered = try? radio.serialPortChannel(of: address, adapter: adapter)
    if let offered {
      do {
        return try radio.connect(address, channel: offered, adapter: adapter)
      } catch  where offered != 1 {
        // The device may have moved its channel since.
      }
    }
    return try radio.connect(address, channel: 1, adapter: adapter)
  }

  func words(errno code: CInt) -> Wording? {
    switch code {
    case ECONNREFUSED: "the receiver's serial port is closed, or another device is using it"
    case EHOSTDOWN, ETIMEDOUT: "the receiver is switched off or out of range"
    case EHOSTUNREACH, ENETDOWN: "Bluetooth is off on this machine"
    case ENODEV: "there is no such Bluetooth adapter"
    case ECONNABORTED: "the Bluetooth adapter was unplugged"
    case ECONNRESET, EPIPE: "the receiver has ended the connection, or went out of range"
    case EACCES, EPERM:
      "the receiver refuses: pair it with standpoint gnss pair \(address)"
    case EAFNOSUPPORT, EPROTONOSUPPORT: "this machine has no Bluetooth"
    case EBUSY, EALREADY: "the Bluetooth adapter is busy"
    default: nil
    }
  }
}

/// The part of Bluetooth that a link needs. Its calls block, and are made on threads of their own.
protocol BluetoothRadio: Sendable {
  /// Returns the RFCOMM channel under which a device offers a serial port; nil if it offers none.
  func serialPortChannel(of device: BluetoothAddress, adapter: String?) throws -> UInt8?

  /// Returns a connected, non-blocking socket.
  func connect(_ device: BluetoothAddress, channel: UInt8, adapter: String?) throws -> CInt
}
