import Evidence
import Positioning

extension OfficeServer {
  /// The whole log, signed, for auditors: `verify` checks it.
  /// - Parameter write: gets one line after the other.
  /// - Throws: `OfficeRefusal` where it does not hold together any more: that is no log to sign.
  public func exportLog(_ write: ([UInt8]) throws -> Void) async throws {
    var export = LogExport()
    try await database.readRegistry { registry in
      if let place = try registry.brokenLogPlace() {
        throw OfficeRefusal(
          .exportImpossible,
          "the log does not hold together from entry \(place) on: see standpoint office check")
      }
      try registry.forEachLogEntry { try write(export.line(of: $0)) }
    }
    try write(
      export.end(
        at: clock.deviceTime, signedWith: receiptKey, certificate: receiptCertificate))
  }
}
