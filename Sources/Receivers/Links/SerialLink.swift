import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Positioning

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
    case EACCES, EPERM: "its rights do not allow it: join the group dialout"
    case EBUSY: "another program has it: gpsd, or ModemManager?"
    case EIO: "the receiver was unplugged"
    default: nil
    }
  }

  /// The speeds that a tty can have.
  static let speeds: [Int: speed_t] = [
    4800: speed_t(B4800), 9600: speed_t(B9600), 19_200: speed_t(B19200),
    38_400: speed_t(B38400), 57_600: speed_t(B57600), 115_200: speed_t(B115200),
    230_400: speed_t(B230400), 460_800: speed_t(B460800), 921_600: speed_t(B921600),
  ]

  /// The tty, opened for reading as it comes: eight bits, no echo, no line editing, and for us alone.
  private static func descriptor(path: String, baud: Int) throws -> CInt {
    // Reading is all that is done: nothing that we say can restart a receiver.
    let descriptor = Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "open") }
    do {
      var settings = termios()
      guard tcgetattr(descriptor, &settings) == 0 else {
        throw LinkFailure("it is no serial port")
      }
      guard let speed = speeds[baud] else { throw LinkFailure("no tty has \(baud) baud") }
      cfmakeraw(&settings)
      settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
      settings.c_cflag &= ~tcflag_t(CRTSCTS)
      guard cfsetspeed(&settings, speed) == 0, tcsetattr(descriptor, TCSANOW, &settings) == 0,
        ioctl(descriptor, UInt(TIOCEXCL)) == 0
      else { throw IOError(errnoCode: errno, reason: "tcsetattr") }
      // What came before it was opened is of no known time.
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
  /// Takes the descriptor; it is closed with the channel, or here where that fails.
  static func open(
    _ descriptor: CInt, _ prepare: @escaping @Sendable (any Channel) throws -> ReceiverChannel
  ) async throws -> ReceiverChannel {
    // Once there is a channel, the descriptor is its own, also where preparing it fails.
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
