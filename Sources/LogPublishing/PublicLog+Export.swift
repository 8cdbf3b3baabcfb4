import Evidence
import Office
import OfficeKeyring
import TimeAndText
import Transparency

extension PublicLog {
  /// Exports the whole log, signed, for auditors; `verify` checks it.
  /// - Parameter write: called with one line after the other.
  /// - Throws: `OfficeRefusal` if the log does not hold together any more: the office does not sign
  ///   such a log.
  package func export(_ write: ([UInt8]) throws -> Void) async throws {
    var export = LogExport()
    try await database.readRegistry { registry in
      if let place = try registry.brokenLogPlace() {
        throw OfficeRefusal(
          .exportImpossible,
          "the log is broken from entry \(place) on: run standpoint office check")
      }
      try registry.forEachLogEntry { try write(export.line(of: $0)) }
    }
    let ring = core.keys.ring
    try write(
      export.end(
        at: clock.deviceTime, origin: try key().name, signedWith: ring.receiptKey,
        certificate: ring.receiptCertificate))
  }
}
