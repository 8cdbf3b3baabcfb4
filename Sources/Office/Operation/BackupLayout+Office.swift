import BackupArchives
import Store
import TimeAndText

extension BackupLayout {
  /// The files of keys without which there is no office. The private halves of keys that others have followed are
  /// gone, and those that are in a token are not here.
  static let officeKeys = ["authority.crt", "receipts.crt", "forms.secret"]
  /// The files of keys that a backup leaves out: the office makes them again if they are missing. With an
  /// earlier log under the same key, a restored office would sign two logs, and as a witness two pasts of one.
  static let unneededKeys: Set = ["metrics.token", "log.key", "witness.key"]

  /// The folders of an office that a backup has.
  package static let officeKinds: Set = [
    "photos", "tracks", "sets", "records", "links", "certificates", "revocations", "receipts",
    "archive", "composites", "order-files", "stamps", "witness",
    "challenges", "enrolments", "attestations", EvidenceName.makers,
  ]

  /// The layout of an office's backup.
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
  /// Turns the error about an unusable backup into a refusal (input-invalid).
  static func ofBackup<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch StoreError.unusableBackup(let words) {
      throw OfficeRefusal(.inputInvalid, "\(words)")
    }
  }
}
