import Foundation
import Imagery

/// The process that compares pictures: requests in, answers out, until its input ends.
///
/// It reads pictures of strangers. So it holds nothing worth taking, and gives up all means before
/// it reads the first byte.
public enum MatchingWorker {
  /// The longer side at which pictures are compared, in pixels.
  static let comparedSide = 800
  /// The memory that the worker may take, in bytes of address space.
  static let mostMemoryBytes = 1 << 30

  /// Runs the worker.
  public static func run() {
    let library: MatchingLibrary
    do {
      library = try MatchingLibrary(folders: MatchingLibrary.usualFolders)
    } catch {
      // The owner reads the reason from the worker's standard error.
      writeAll(Array("\(error)\n".utf8), to: 2)
      writeAll(MatchingWire.answer(.unavailable), to: 1)
      return
    }
    guard library.confine(memoryBytes: mostMemoryBytes) else {
      writeAll(Array("the system does not let the worker give up its rights\n".utf8), to: 2)
      writeAll(MatchingWire.answer(.unavailable), to: 1)
      return
    }
    var earlier: MatchingLibrary.Features?
    while let head = readAll(MatchingWire.headBytes),
      let (request, count) = MatchingWire.readHead(head), let bytes = readAll(count)
    {
      let picture = try? GreyPicture(decoding: bytes, maximumSide: comparedSide)
      let found = picture.flatMap(library.features(of:))
      switch request {
      case .earlier:
        earlier = found
        writeAll(MatchingWire.answer(found == nil ? .unreadable : .done), to: 1)
      case .later:
        writeAll(answer(library, earlier, found), to: 1)
      }
    }
  }

  private static func answer(
    _ library: MatchingLibrary, _ earlier: MatchingLibrary.Features?,
    _ later: MatchingLibrary.Features?
  ) -> [UInt8] {
    guard let earlier, let later else { return MatchingWire.answer(.unreadable) }
    guard let found = library.compare(earlier, later) else {
      return MatchingWire.answer(.outOfMemory)
    }
    return MatchingWire.answer(
      .done, inliers: found.inliers, cells: found.cells, rows: found.rows)
  }

  /// Reads so many bytes from standard input; nil if it ends before.
  private static func readAll(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var have = 0
    while have < count {
      let got = bytes.withUnsafeMutableBytes { room in
        read(0, room.baseAddress.map { $0 + have }, count - have)
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return nil }
      have += got
    }
    return bytes
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var gone = 0
    while gone < bytes.count {
      let count = bytes.withUnsafeBytes { rest in
        write(descriptor, rest.baseAddress.map { $0 + gone }, bytes.count - gone)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      gone += count
    }
  }
}
