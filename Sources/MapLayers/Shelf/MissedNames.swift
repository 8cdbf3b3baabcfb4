import Foundation
import Store
import TimeAndText

/// The names that are here from the office and that its lists lack, each with the time since when.
/// The names are remembered from one start of the program to the next.
///
/// One list is no reason to destroy anything: an office whose folder is being filled again, or
/// another office, says that it has nothing. Only a name that a second list lacks a day later, with
/// no list between that had it, is gone there.
package struct MissedNames {
  /// The time that a name has to be missing, seconds.
  static let patienceSeconds = 86_400.0
  private static let bytesAtMost = 65_536

  private let path: String
  private var since: [String: DeviceTime] = [:]

  /// Creates the names that a file remembers.
  /// - Parameter path: the file's path; a file that cannot be read remembers nothing.
  package init(path: String) {
    self.path = path
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= Self.bytesAtMost
    else { return }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let time = DeviceTime(rfc3339: String(parts[0])) else { continue }
      since[String(parts[1])] = time
    }
  }

  /// Notes the names that a list lacks now; all other names are back.
  /// - Returns: the names that may be removed.
  package mutating func note(_ names: some Sequence<String>, at now: DeviceTime) -> Set<String> {
    let before = since
    since = [:]
    var gone: Set<String> = []
    for name in names where !name.contains(where: \.isNewline) {
      // A time later than now comes from a clock that was set back since, and does not count.
      guard let first = before[name], first <= now else {
        since[name] = now
        continue
      }
      since[name] = first
      let seconds =
        (Double(now.millisecondsSince1970) - Double(first.millisecondsSince1970)) / 1000
      if seconds >= Self.patienceSeconds { gone.insert(name) }
    }
    if since != before { write() }
    return gone
  }

  /// Stores the names. If that fails, the time counts from the next list on, and the files stay
  /// that much longer.
  private func write() {
    let lines = since.sorted { $0.key < $1.key }.map { "\($0.value.rfc3339) \($0.key)\n" }
    guard !lines.isEmpty else {
      try? DurableFile.remove(path)
      return
    }
    try? DurableFile.makeFolder((path as NSString).deletingLastPathComponent)
    try? DurableFile.replace(path, with: Array(lines.joined().utf8))
  }
}
