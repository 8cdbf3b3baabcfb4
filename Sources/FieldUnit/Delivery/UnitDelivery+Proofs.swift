import Evidence
import Store
import TimeAndText

// The office's proofs that its log has this device's deliveries.

extension UnitDelivery {
  private static let provedSetting = "proved-receipt "

  /// Returns the time of the last receipt of this key of which the log's proof is here; nil for none.
  func provedReceipt(at office: String, _ session: FieldSession) throws -> DeviceTime? {
    try session.settings.value(of: Self.provedSetting + key.publicKey.thumbprint + " " + office)
      .flatMap { Int64($0) }.map(DeviceTime.init(millisecondsSince1970:))
  }

  /// Keeps proofs beside their receipts.
  func keep(_ proofs: [ReceiptProof], of office: String) throws {
    guard let last = proofs.map(\.received).max() else { return }
    try DurableFile.makeFolder(folder.root + "/receipts")
    for proof in proofs {
      try DurableFile.replace(
        folder.root + "/receipts/\(proof.receipt)\(ReceiptProof.ending)",
        with: Array(proof.jws.utf8))
    }
    let setting = Self.provedSetting + key.publicKey.thumbprint + " " + office
    try store.write(as: person) {
      try $0.settings.set(setting, to: String(last.millisecondsSince1970))
    }
  }
}
