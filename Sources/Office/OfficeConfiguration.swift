import Foundation

/// Everything that an office is told when it is put together.
public struct OfficeConfiguration: Sendable {
  /// The data directory; the office's files are in `office/` below it.
  public var dataDirectory: URL
  /// Name and version of the program, as answers carry it.
  public var software: String
  /// What the certification authority is called when it is made.
  public var authorityName = "Standpoint office"
  /// How long an officer's session holds without being used, seconds.
  public var browserSessionSeconds = 12.0 * 3600
  /// How long a field unit's session holds, seconds; its key renews it without a password.
  public var deviceSessionSeconds = 3600.0
  /// How many requests of one device come back in a second, and how many may come at once.
  public var deviceRequests = (perSecond: 200.0, burst: 2000.0)
  /// The largest file that a delivery may bring, bytes.
  public var maximumFileBytes = 64 * 1024 * 1024
  /// So many files of one device may wait for their batch.
  public var maximumOpenUploads = 2000
  /// The largest batch message, bytes.
  public var maximumMessageBytes = 64 * 1024 * 1024
  /// Below so many free bytes of its disk nothing new is taken; 0 takes everything.
  public var diskReserveBytes = 0
  /// What tells how much of the disk is free; nil asks the system.
  public var freeSpace: (any FreeSpace)?
  /// The largest file of tasks or parcels that the pages take, bytes; the command takes any.
  public var maximumImportBytes = 256 * 1024 * 1024
  /// How much of the database the writing connection keeps in memory, KiB.
  public var databaseCacheKiB = 16_384
  /// Whether all of it is a demonstration: pages and documents then say so.
  public var isDemonstration = false

  /// Takes what only the office's own people may read: the reasons behind problems of the machine.
  public var log: @Sendable (String) -> Void = { line in
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }

  /// A configuration with everything else at its default.
  public init(dataDirectory: URL, software: String) {
    self.dataDirectory = dataDirectory
    self.software = software
  }

  /// The folder of the office's own files.
  public var folder: URL { dataDirectory.appendingPathComponent("office", isDirectory: true) }
}
