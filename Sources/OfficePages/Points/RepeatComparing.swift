import Evidence
import Inspection
import Matching
import Office
import Positioning
import Store
import Sync
import TimeAndText

/// Compares the pictures of repeats with those of their photo points, in the background: the
/// office's own number beside the one that the device has sealed.
package struct RepeatComparing: Sendable {
  let office: OfficeServer
  let matcher: PictureMatcher

  /// Creates the comparing for an office.
  package init(office: OfficeServer, matcher: PictureMatcher) {
    (self.office, self.matcher) = (office, matcher)
  }

  /// The most repeats of an agency that are compared in one turn.
  private static let atOnce = 8
  /// The seconds between two looks for repeats that have arrived.
  private static let pauseSeconds = 20.0
  /// The seconds after which a failed look is tried again.
  private static let retrySeconds = 600.0

  /// Compares repeats until the surrounding task is cancelled. No photo can end the loop.
  package func keepComparing() async throws {
    while true {
      var seconds = Self.pauseSeconds
      do {
        while try await compareArrivals() > 0 { try Task.checkCancellation() }
      } catch let error as CancellationError {
        throw error
      } catch {
        office.configuration.log("repeats are not compared now: \(error)")
        seconds = Self.retrySeconds
      }
      let clock = office.clock
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: seconds))
    }
  }

  /// Compares some repeats of each agency.
  /// - Returns: the number of repeats that have a result now.
  /// - Throws: `MatchingError` if this machine cannot compare pictures, or not now.
  package func compareArrivals() async throws -> Int {
    var count = 0
    for agency in try await office.people.agencies().map(\.name) {
      let waiting = try await office.database.read(in: agency) {
        try $0.points.unmeasured(limit: Self.atOnce)
      }
      for one in waiting {
        let measured = try await measure(one, in: agency)
        try await office.database.write(in: agency) {
          try $0.points.keep(measured, ofPhoto: one.photo, at: office.clock.deviceTime)
        }
        count += 1
      }
    }
    return count
  }

  private func measure(
    _ one: ReceivedRepeat, in agency: String
  ) async throws -> ReceivedRepeat.Measured {
    let point = try await office.points.point(one.claims.point, in: agency)
    guard
      let earlier = try office.points.original(of: point, point.reference),
      let later = try office.photos.bytes(of: EvidenceName.file(.capture, one.photo))
    else { return .failed }
    do {
      let comparison = try await compare(
        PictureMatcher.Earlier(digest: point.reference.digest, bytes: earlier), later)
      guard let percent = comparison.displacementPercent else {
        return .unlike(matches: comparison.inliers)
      }
      return .displaced(percent: percent, inliers: comparison.inliers)
    } catch MatchingError.unreadable, MatchingError.tooLarge, MatchingError.tookTooLong,
      MatchingError.ended
    {
      // The worker also ends with its program: then the next start compares.
      try Task.checkCancellation()
      return .failed
    }
  }

  /// Compares two pictures, and once more if others were in the way.
  private func compare(
    _ earlier: PictureMatcher.Earlier, _ later: [UInt8]
  ) async throws -> PictureComparison {
    do {
      return try await matcher.compare(earlier, with: later)
    } catch MatchingError.tookTooLong, MatchingError.ended {
      try Task.checkCancellation()
      return try await matcher.compare(earlier, with: later)
    }
  }
}
