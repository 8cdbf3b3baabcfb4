import Crypto
import Foundation
import Inspection
import Positioning
import Store
import Synchronization
import Web

/// What the office counts of itself while it runs.
public final class OfficeCounters: Sendable {
  /// Requests; the program hands them in.
  public let requests = RequestFigures()
  private let uploadedBytes = Atomic(0)
  private let deliveries = Atomic(0)

  func noteUploaded(bytes: Int) { uploadedBytes.wrappingAdd(bytes, ordering: .relaxed) }
  package func noteDelivery() { deliveries.wrappingAdd(1, ordering: .relaxed) }

  package var uploaded: Int { uploadedBytes.load(ordering: .relaxed) }
  package var delivered: Int { deliveries.load(ordering: .relaxed) }
}

/// The last look at what has to be counted in the database: a count is cheap, and not so cheap that each
/// who asks gets one of their own.
package final class CountedFigures: Sendable {
  private static let secondsBetween = 5.0
  private let last = Mutex<(time: ElapsedTime, figures: OfficeFigures)?>(nil)

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

extension OfficeServer {
  /// Whether a token is the one that the figures are shown for. It is compared by its digest, in a time
  /// that says nothing of how much of it is right.
  package func mayReadMetrics(token: String?) -> Bool {
    guard let token, let metricsToken else { return false }
    return SHA256.hash(data: Array(token.utf8)) == SHA256.hash(data: Array(metricsToken.utf8))
  }

  /// Everything that the office tells of itself in figures. No agency, no person, no task is in them.
  package func metrics() async -> MetricsText {
    var text = MetricsText()
    let prefix = "standpoint_office_"
    text.begin("standpoint_build_info", .gauge, "The program that runs; always 1.")
    text.value("standpoint_build_info", [("software", configuration.software)], 1)
    text.add(
      "process_start_time_seconds", .gauge, "When it was started, seconds since 1970.",
      Double(started.millisecondsSince1970) / 1000)
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
    if let free = disk.freeBytes(at: clock.elapsed) {
      text.add(
        prefix + "disk_free_bytes", .gauge, "Bytes that are free on the disk of its data.",
        Double(free))
    }
    text.add(
      prefix + "disk_reserve_bytes", .gauge, "Below so many free bytes nothing new is taken.",
      Double(disk.reserveBytes))
    return text
  }

  /// What is counted in the database. Where that cannot be used the rest is told all the same: it is then
  /// that somebody wants to see it.
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

  /// What the system says that this program holds in memory; nil where it does not say.
  private static func residentBytes() -> Int? {
    guard let handle = FileHandle(forReadingAtPath: "/proc/self/statm") else { return nil }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: 256) else { return nil }
    let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
