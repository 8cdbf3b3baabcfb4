import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TimeAndText

/// A receiver on a tty: USB, or a serial port.
struct SerialLink: ReceiverLink {
  let path: String
  let baud: Int
  var greeting: [UInt8] { [] }

  func open(
    _ prepare: @escaping @Sendable (any Channel) throws -> ReceiverChannel
  ) async throws -> ReceiverChannel {
    try await DescriptorChannel.open(Self.descriptor(path: path, baud: baud), prepare)
  }

  func words(errno code: CInt) -> Wording? {
    switch code {
    case ENOENT, ENODEV, ENXIO: "there is no such device: is the receiver plugged in?"
    case EACCES, EPERM: "its permissions do not allow it: join the group dialout"
    case EBUSY: "another program is using it: gpsd, or ModemManager?"
    case EIO: "the receiver was unplugged"
    default: nil
    }
  }

  /// The possible speeds of a tty, baud.
  static let speeds: [Int: speed_t] = [
    4800: speed_t(B4800), 9600: speed_t(B9600), 19_200: speed_t(B19200),
    38_400: speed_t(B38400), 57_600: speed_t(B57600), 115_200: speed_t(B115200),
    230_400: speed_t(B230400), 460_800: speed_t(B460800), 921_600: speed_t(B921600),
  ]

  /// Opens the tty to read its bytes as they come: eight bits, no echo, no line editing, and no
  /// other program may open it.
  private static func descriptor(path: String, baud: Int) throws -> CInt {
    // The tty is opened only for reading, so that no byte of ours can restart a receiver.
    let descriptor = Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "open") }
    do {
      var settings = termios()
      guard tcgetattr(descriptor, &settings) == 0 else {
        throw LinkFailure("it is not a serial port")
      }
      guard let speed = speeds[baud] else {
        throw LinkFailure("serial ports do not support \(baud) baud")
      }
      cfmakeraw(&settings)
      settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
      settings.c_cflag &= ~tcflag_t(CRTSCTS)
      guard cfsetspeed(&settings, speed) == 0, tcsetattr(descriptor, TCSANOW, &settings) == 0,
        ioctl(descriptor, UInt(TIOCEXCL)) == 0
      else { throw IOError(errnoCode: errno, reason: "tcsetattr") }
      // Bytes from before the opening have no known time.
      tcflush(descriptor, TCIFLUSH)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }
}

/// A channel that reads an open descriptor.
enum DescriptorChannel {
  /// Takes over the descriptor. It is closed with the channel, or here if no channel could be made.
  static func open(
    _ descriptor: CInt, _ prepare: @escaping @Sendable (any Channel) throws -> ReceiverChannel
  ) async throws -> ReceiverChannel {
    // Once there is a channel, it owns the descriptor, even if preparing the channel fails.
    let isTaken = NIOLockedValueBox(false)
    do {
      return try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .takingOwnershipOfDescriptor(input: descriptor) { channel in
          isTaken.withLockedValue { $0 = true }
          return channel.eventLoop.makeCompletedFuture { try prepare(channel) }
        }
    } catch {
      if !isTaken.withLockedValue({ $0 }) { close(descriptor) }
      throw error
    }
  }
}
