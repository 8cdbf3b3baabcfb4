import Evidence
import Foundation
import Inspection
import KeyTokens
import Store
import TimeAndText

/// The inspector's device. Only `make(configuration:clock:)` puts it together; the executable and
/// the tests both call it.
public final class InspectorUnit: Sendable {
  /// The settings with which the program was started.
  public let configuration: FieldUnitConfiguration
  /// The only clock.
  public let clock: any Timepiece
  /// The database.
  public let store: FieldStore
  package let folder: DataFolder
  package let sealer: Sealer
  package let key: any DeviceKey
  package let device: String
  /// Keeps the counts that the first page shows.
  let figureShelf = FigureShelf()
  /// Rings when a photo has been sealed.
  let sealedPhotos = SealedPhotoBell()

  private init(
    configuration: FieldUnitConfiguration, clock: any Timepiece, store: FieldStore,
    folder: DataFolder, key: any DeviceKey, device: String
  ) {
    self.configuration = configuration
    self.clock = clock
    self.store = store
    self.folder = folder
    self.key = key
    self.device = device
    sealer = Sealer(folder: folder, store: store)
  }

  /// Opens the data directory, makes the folders and the key that are missing, and finishes or
  /// clears away the work that a crash has interrupted.
  /// - Throws: `FieldUnitError` or `StoreError` if the directory cannot be used.
  public static func make(
    configuration: FieldUnitConfiguration, clock: any Timepiece
  ) throws -> InspectorUnit {
    let folder = DataFolder(dataDirectory: configuration.dataDirectory)
    try folder.prepare()
    let store = try FieldStore(path: folder.database)
    let person = configuration.person
    let keys = KeyFolder(path: folder.keys)
    let identity = try DurableFile.withLock(folder.lock) {
      if let known = try store.read(as: person, { try $0.identities.own() }) { return known }
      // The key is stored before the row that names it, because an unknown key does no harm.
      let key = try keys.makeKey()
      let new = DeviceIdentity(
        device: Identifier(at: clock.deviceTime).description, key: key.publicKey.thumbprint)
      try store.write(as: person) { try $0.identities.insert(new, at: clock.deviceTime) }
      return new
    }
    let unit = InspectorUnit(
      configuration: configuration, clock: clock, store: store, folder: folder,
      key: try keys.key(identity.key), device: identity.device)
    try unit.sealer.recover(as: person)
    try unit.removeDeletedFiles()
    return unit
  }

  /// The inspector's photo points.
  public var points: UnitPoints { UnitPoints(unit: self) }

  /// The inspector's composites.
  public var composites: UnitComposites { UnitComposites(unit: self) }

  /// The inspector who works with the unit.
  public var person: Person { configuration.person }

  /// Returns the data that are the same in every record made now.
  package func context(source: String? = nil, isSimulated: Bool = false) -> RecordContext {
    RecordContext(
      person: person, device: device, key: key.publicKey.thumbprint,
      software: configuration.software, source: source,
      challenge: ChallengeShelf(root: folder.root).digest(forKey: key.publicKey.thumbprint),
      isSimulated: isSimulated || configuration.isDemonstration)
  }

  /// Reads an identifier that a person has typed.
  /// - Throws: `FieldUnitError.malformedIdentifier`.
  public static func identifier(_ text: String) throws -> Identifier {
    guard let id = Identifier(text.lowercased()) else {
      throw FieldUnitError.malformedIdentifier(text)
    }
    return id
  }

  /// Removes the files of deleted photos and tracks. A deletion is committed before the bytes go:
  /// after a crash in between, they go now.
  private func removeDeletedFiles() throws {
    let (photos, tracks, sets) = try store.read(as: person) {
      (
        try $0.device.deletedPhotos(), try $0.device.deletedTracks(), try $0.device.deletedSets()
      )
    }
    for id in photos { try removeFiles(ofPhoto: id) }
    for id in tracks { try DurableFile.remove(folder.file(.tracks, id)) }
    for id in sets { try removeFiles(ofSet: id) }
  }

  /// Removes the files of a set; its seal stays.
  package func removeFiles(ofSet id: Identifier) throws {
    let shelf = folder.folder(.sets, id)
    let names =
      FileStatus(ofPath: shelf) == nil
      ? [] : try FileManager.default.contentsOfDirectory(atPath: shelf)
    for name in names where name.hasPrefix("\(id)") && !name.hasSuffix(".seal") {
      try DurableFile.remove(shelf + "/" + name)
    }
  }

  func removeFiles(ofPhoto id: Identifier) throws {
    try DurableFile.remove(folder.file(.photos, id))
    try DurableFile.remove(folder.raw(id))
    thumbnails.remove(id)
  }
}
