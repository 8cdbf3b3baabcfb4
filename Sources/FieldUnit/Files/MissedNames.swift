import Foundation
import Positioning
import Store

/// Since when the office's lists lack what is here of it, from one start of the program to the next.
///
/// One list is no reason to destroy anything: an office whose folder is being filled anew, or another office,
/// says that it has nothing. Only what a second list lacks a day later, with no list between that had it, is
/// gone there.
struct MissedNames {
  /// So long something has to be missing, seconds.
  static let patienceSeconds = 86_400.0
  private static let bytesAtMost = 65_536

  private let path: String
  private var since: [String: DeviceTime] = [:]

  /// - Parameter path: where it is remembered; what cannot be read there is not remembered.
  init(path: String) {
    self.path = path
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= Self.bytesAtMost
    else { return }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let time = DeviceTime(rfc3339: String(parts[0])) else { continue }
      since[String(parts[1])] = time
    }
  }

  /// Takes note of what a list lacks now; all else is there again.
  /// - Returns: what may be let go of.
  mutating func note(_ names: some Sequence<String>, at now: DeviceTime) -> Set<String> {
    let before = since
    since = [:]
    var gone: Set<String> = []
    for name in names where !name.contains(where: \.isNewline) {
      // A clock that was set back says nothing about when that was.
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

  /// What cannot be written counts from the next list on, and stays so much longer.
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
