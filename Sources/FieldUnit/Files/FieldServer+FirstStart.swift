import Foundation
import Positioning
import Store

extension FieldServer {
  /// Whether the first start is still to be shown by itself. Whoever asks has shown it: it comes once for
  /// a data directory, and can be opened from Home as often as somebody likes.
  package func showsStartOnce() -> Bool {
    let path = DataFolder(dataDirectory: configuration.dataDirectory).startShown
    guard FileStatus(ofPath: path) == nil else { return false }
    // Where it cannot be kept it is shown again: that harms nobody.
    try? DurableFile.replace(path, with: Array("\(clock.deviceTime.rfc3339)\n".utf8))
    return true
  }
}
