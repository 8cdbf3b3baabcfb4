import Foundation
import Positioning
import TimeAndText

/// The reading of recorded logs.
public enum LogFile {
  /// The largest log that is read, bytes.
  private static let sizeLimit = 1 << 30

  /// Reads the log at `path` and divides it into its epochs.
  /// - Throws: `ReceiverError.unreadableLog`.
  public static func timeline(path: String) throws(ReceiverError) -> LogTimeline {
    let bytes: Data
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType != .typeDirectory else {
        throw ReceiverError.unreadableLog(path: path, reason: "it is a folder")
      }
      guard (attributes[.size] as? Int ?? 0) <= sizeLimit else {
        throw ReceiverError.unreadableLog(path: path, reason: "it is larger than 1 GiB")
      }
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch let error as ReceiverError {
      throw error
    } catch {
      let exists = FileManager.default.fileExists(atPath: path)
      throw .unreadableLog(
        path: path,
        reason: exists ? "it may not be read: check its permissions" : "there is no such file")
    }
    return LogTimeline(Array(bytes))
  }
}

/// A recorded log, played once at a multiple of real time.
struct FileReceiver: Receiver {
  let source: ReceiverSource
  let timeline: LogTimeline
  let clock: any Timepiece

  func run(_ deliver: @Sendable (ReceiverEvent) async -> Void) async throws {
    await deliver(.state(.listening))
    let replay = clock as? ReplayClock
    let pieces = timeline.pieces
    for index in pieces.indices {
      try Task.checkCancellation()
      let moment = Self.elapsed(pieces[index].seconds)
      if let replay {
        // Holes of more than 30 s in a log are skipped, because nothing happens in them.
        let before = index > 0 ? pieces[index - 1].seconds : 0
        if replay.rate.isFinite, pieces[index].seconds - before <= 30 {
          try await replay.sleep(until: moment)
        }
        let next = index + 1 < pieces.count ? pieces[index + 1].seconds : pieces[index].seconds
        replay.advance(to: moment, limit: replay.rate.isFinite ? Self.elapsed(next) : moment)
      } else {
        try await clock.sleep(until: moment)
      }
      await deliver(.bytes(RawChunk(arrival: clock.elapsed, bytes: pieces[index].bytes)))
    }
    await deliver(.state(.ended))
  }

  private static func elapsed(_ seconds: Double) -> ElapsedTime {
    ElapsedTime(milliseconds: Int64((seconds * 1000).rounded()))
  }
}
