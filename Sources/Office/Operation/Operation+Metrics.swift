import Crypto
import Foundation
import Inspection
import Store
import Synchronization
import TimeAndText
import Web

/// The latest figures counted in the database. A count is cheap, but too slow to be repeated for
/// every request: it holds for 5 seconds.
package final class CountedFigures: Sendable {
  private static let secondsBetween = 5.0
  private let last = Mutex<(time: ElapsedTime, figures: OfficeFigures)?>(nil)

  /// Returns the latest figures, or counts them again if they are older than 5 seconds.
  package func figures(at time: ElapsedTime, _ count: () async throws -> OfficeFigures)
    async rethrows -> OfficeFigures
  {
    if let known = last.withLock({ $0 }),
      abs(time.seconds(since: known.time)) < Self.secondsBetween
    {
      return known.figures
    }
    let figures = try await count()
    last.withLock { $0 = (time, figures) }
    return figures
  }
}

extension Operation {
  /// Returns true if a token is the one that allows reading the figures. Digests are compared, in a
  /// time that does not depend on how much of the token is right.
  package func mayReadMetrics(token: String?) -> Bool {
    guard let token, let known = core.metricsToken else { return false }
    return SHA256.hash(data: Array(token.utf8)) == SHA256.hash(data: Array(known.utf8))
  }

  /// Returns all figures of the office. They name no agency, no person and no task.
  package func metrics() async -> MetricsText {
    var text = MetricsText()
    let prefix = "standpoint_office_"
    text.begin("standpoint_build_info", .gauge, "The program that runs; always 1.")
    text.value("standpoint_build_info", [("software", configuration.software)], 1)
    text.add(
      "process_start_time_seconds", .gauge, "When it was started, seconds since 1970.",
      Double(core.started.millisecondsSince1970) / 1000)
    if let bytes = Self.residentBytes() {
      text.add(
        "process_resident_memory_bytes", .gauge, "Memory that it holds, bytes.", Double(bytes))
    }
    counters.requests.write(to: &text, prefix: prefix)
    text.add(
      prefix + "uploaded_bytes_total", .counter, "Bytes of files that were received and kept.",
      Double(counters.uploaded))
    text.add(
      prefix + "deliveries_total", .counter, "Batches that got a receipt.",
      Double(counters.delivered))
    await addCounted(to: &text, prefix)
    if let free = core.disk.freeBytes(at: clock.elapsed) {
      text.add(
        prefix + "disk_free_bytes", .gauge, "Bytes that are free on the disk of its data.",
        Double(free))
    }
    text.add(
      prefix + "disk_reserve_bytes", .gauge, "Below so many free bytes nothing new is taken.",
      Double(core.disk.reserveBytes))
    return text
  }

  /// Adds the figures counted in the database. If the database cannot be used, all other figures
  /// are still shown: they are needed most then.
  private func addCounted(to text: inout MetricsText, _ prefix: String) async {
    let figures: OfficeFigures
    do {
      figures = try await counted.figures(at: clock.elapsed) {
        try await database.readRegistry { try $0.figures(at: clock.deviceTime) }
      }
    } catch {
      return configuration.log("figures: \(error)")
    }
    text.add(
      prefix + "unchecked_photos", .gauge, "Photos that wait for their checks.",
      Double(figures.uncheckedPhotos))
    text.begin(prefix + "tasks", .gauge, "Tasks by their state.")
    for state in TaskState.allCases {
      text.value(
        prefix + "tasks", [("state", state.rawValue)], Double(figures.tasks[state.rawValue] ?? 0))
    }
    text.begin(prefix + "sessions", .gauge, "Sessions that hold.")
    text.value(prefix + "sessions", [("kind", "browser")], Double(figures.browserSessions))
    text.value(prefix + "sessions", [("kind", "device")], Double(figures.deviceSessions))
  }

  /// Returns the memory that this program takes, bytes; nil if the system does not tell.
  private static func residentBytes() -> Int? {
    guard let handle = FileHandle(forReadingAtPath: "/proc/self/statm") else { return nil }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: 256) else { return nil }
    let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
