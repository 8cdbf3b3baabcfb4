import BackupArchives
import Evidence
import FieldUnit
import Store

extension BackupLayout {
  private static let sealed: Set = ["photos", "tracks", "sets", "records"]

  /// The layout of a field unit's backup.
  package static let field = BackupLayout(
    owner: "a field unit", title: "standpoint field backup 1", folder: "field/", required: []
  ) { parts in
    switch parts.count {
    case 1: DataFolder.backedUpFiles.contains(parts[0])
    case 2: DataFolder.backedUpFolders.contains(parts[0])
    case 3: sealed.contains(parts[0])
    default: false
    }
  }
}

extension DataFolder {
  /// The files below `field/` that a backup holds, in addition to the database, which is copied.
  static let backedUpFiles: Set = ["office.choice"]

  /// The folders below `field/` whose files a backup holds, whether or not the database names them.
  static let backedUpFolders: Set = [
    "keys", "certificates", "receipts", "challenges", "composites",
  ]

  /// The files and folders that a backup leaves out, by the first name below the data directory or
  /// below `field/`, each with the reason. A restored unit works without all of them; a name that
  /// is in neither list fails a test.
  static let leftOut: [String: String] = [
    "field/staging": "what is sealed there is put where it belongs, the rest was never sealed",
    "field/open-sets": "they are on the device on which they will be ended",
    "field/last-challenges": "the office gives a new challenge at the next contact",
    "field/thumbnails": "they are made again from the photos",
    "field/log": "it tells of this device, and not of the one that takes its place",
    "field/maps": "they are large: the office's come again, others are copied like any file",
    "field/start.shown": "the first start looks at a device's own camera and sensors",
    "field/maps-missed": "it tells of maps that are left out",
    "field/maps-areas.json": "areas are chosen for a device, and their maps are left out",
    "field/maps-areas.json.lock": "it is held by a running program",
    "field/maps-offered.json": "the office lists its maps again",
    "field/parcels": "the office sends them again after a delivery",
    "field/photo-points": "the office sends the pictures again after a delivery",
    "field/order-files": "the office sends the files of orders again after a delivery",
    "field/earlier-photos": "the office sends them again after a delivery",
    "field/orbits-fetched": "orbits are fetched again",
    "field/orbits-missed": "it tells of orbits that are left out",
    "field/lock": "it is held by a running program",
    "field/recording": "it is held by a running program",
    "field/delivery.lock": "it is held by a running program",
    "field/standpoint.sqlite-wal": "the database's copy holds what it says",
    "field/standpoint.sqlite-shm": "the database's copy holds what it says",
    "receiver": "its way is the device's own: a tty, or a Bluetooth device that was paired with it",
    "orbits": "they are fetched again, and are of use for some days only",
    "office": "an office has a backup of its own",
    "restore.lock": "it is held by a running program",
    "restoring": "what a restore that was killed has left",
  ]
}
