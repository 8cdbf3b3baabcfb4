import Foundation
import Store
import TimeAndText

extension FieldServer {
  /// Returns true if the first start is to be shown by itself, and notes that it was shown. It is
  /// shown once for a data directory, and can be opened from Home at any time.
  package func showsStartOnce() -> Bool {
    let path = DataFolder(dataDirectory: configuration.dataDirectory).startShown
    guard FileStatus(ofPath: path) == nil else { return false }
    // If the note cannot be stored, the first start is shown again, which does no harm.
    try? DurableFile.replace(path, with: Array("\(clock.deviceTime.rfc3339)\n".utf8))
    return true
  }
}
