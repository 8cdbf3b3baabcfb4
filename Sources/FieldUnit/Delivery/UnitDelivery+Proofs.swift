import Evidence
import Store
import TimeAndText

// The office's proofs that its log has this device's deliveries.

extension UnitDelivery {
  private static let provedSetting = "proved-entry "

  /// Returns the last proof for a receipt of this key, as the office wants to know it: the log's entry, and a mark of the
  /// log; nil for none.
  func provedEntry(at office: String, _ session: FieldSession) throws -> String? {
    try session.settings.value(of: Self.provedSetting + key.publicKey.thumbprint + " " + office)
  }

  /// Keeps proofs beside their receipts, as far as these are here. An earlier proof is never replaced: if the office
  /// says something else later, both show it.
  func keep(_ proofs: [ReceiptProof], of office: String) throws {
    for proof in proofs {
      let path = "\(folder.root)/receipts/\(proof.receipt)"
      guard FileStatus(ofPath: path + ".receipt") != nil,
        Digest.hexadecimal(try DurableFile.read(path + ".receipt")) == proof.digest
      else { continue }
      let (bytes, file) = (Array(proof.jws.utf8), path + ReceiptProof.ending)
      if FileStatus(ofPath: file) == nil {
        try DurableFile.replace(file, with: bytes)
      } else if try DurableFile.read(file) != bytes {
        let mark = Digest.hexadecimal(bytes).prefix(8)
        try DurableFile.replace("\(path)-\(mark)\(ReceiptProof.ending)", with: bytes)
      }
    }
    guard let last = proofs.max(by: { $0.entry < $1.entry }) else { return }
    let setting = Self.provedSetting + key.publicKey.thumbprint + " " + office
    try store.write(as: person) { try $0.settings.set(setting, to: last.mark) }
  }
}
