import Positioning
import Store

extension BackupLayout {
  /// Without these there is no office.
  static let officeKeys = [
    "authority.crt", "authority.key", "receipts.crt", "receipts.key", "forms.secret",
  ]
  /// Made anew where it is missing, and nobody else's business.
  static let unneededKeys: Set = ["metrics.token"]

  private static let officeKinds: Set = [
    "photos", "tracks", "records", "links", "certificates", "revocations", "receipts",
  ]

  /// An office's.
  package static let office = BackupLayout(
    owner: "an office", title: "standpoint office backup 1", folder: "office/",
    required: officeKeys.map { "keys/" + $0 }
  ) { parts in
    switch parts.count {
    case 2 where parts[0] == "keys": true
    case 2, 3: officeKinds.contains(parts[0])
    default: false
    }
  }
}

extension OfficeRefusal {
  /// What a backup is refused for is bad input here.
  static func ofBackup<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch StoreError.unusableBackup(let words) {
      throw OfficeRefusal(.inputInvalid, "\(words)")
    }
  }
}
