import HummingbirdCore
import NIOCore
import ServiceLifecycle

/// Writes a stream of pieces as server-sent events (HTML Living Standard, section 9.2).
struct EventWriter: Sendable {
  let events: AsyncStream<HTML>
  let heartbeatSeconds: Double

  /// Writes until the stream ends, the browser leaves, or the server stops.
  func write(to writer: inout any ResponseBodyWriter) async throws {
    let mailbox = EventMailbox()
    // The first bytes tell the browser at once that the connection works, and how soon to try again
    // when it breaks: after 2 s.
    try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
    let source = Task {
      for await piece in events { mailbox.put(piece) }
      mailbox.finish()
    }
    let heart = Task {
      while true {
        try await Task.sleep(for: .seconds(heartbeatSeconds))
        mailbox.nudge()
      }
    }
    defer {
      source.cancel()
      heart.cancel()
    }
    try await withGracefulShutdownHandler {
      for await _ in mailbox.wakes {
        let words = (mailbox.take().map(Self.event) ?? "") + (mailbox.takeSign() ? Self.sign : "")
        // A browser that has left is noticed only by writing to it.
        try await writer.write(ByteBuffer(string: words.isEmpty ? ": alive\n\n" : words))
      }
      // The stream may have ended with a last piece just after the last wake.
      if let piece = mailbox.take() {
        try await writer.write(ByteBuffer(string: Self.event(piece)))
      }
    } onGracefulShutdown: {
      mailbox.finish()
    }
  }

  /// The event of a stream that is alive and has nothing new. Comments would not do: scripts do not
  /// see them.
  static let sign = "event: alive\ndata: 1\n\n"

  /// Returns one event, with each line of the piece in a field of its own: a line end ends a field.
  static func event(_ piece: HTML) -> String {
    let lines = piece.text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { "data: \($0)\n" }.joined() + "\n"
  }
}
