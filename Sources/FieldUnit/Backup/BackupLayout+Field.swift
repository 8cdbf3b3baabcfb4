import Store

extension BackupLayout {
  private static let sealed: Set = ["photos", "tracks", "records"]

  /// A field unit's.
  static let field = BackupLayout(
    owner: "a field unit", title: "standpoint field backup 1", folder: "field/", required: []
  ) { parts in
    switch parts.count {
    case 2: parts[0] == "keys" || parts[0] == "certificates"
    case 3: sealed.contains(parts[0])
    default: false
    }
  }
}
