import Foundation

/// The settings of an office.
public struct OfficeConfiguration: Sendable {
  /// The data directory; the office's files are in `office/` below it.
  public var dataDirectory: URL
  /// The name and version of the program, as answers carry it.
  public var software: String
  /// The name that the certification authority gets when it is made.
  public var authorityName = "Standpoint office"
  /// The seconds after which an officer's unused session ends.
  public var browserSessionSeconds = 12.0 * 3600
  /// The seconds that a field unit's session lasts; its key renews it without a password.
  public var deviceSessionSeconds = 3600.0
  /// The limit of a device's requests: how many are allowed per second on average, and how many at
  /// once.
  public var deviceRequests = (perSecond: 200.0, burst: 2000.0)
  /// The largest file that a delivery may bring, bytes.
  public var maximumFileBytes = 64 * 1024 * 1024
  /// The greatest number of files of one device that may wait for their batch.
  public var maximumOpenUploads = 2000
  /// The largest batch message, bytes.
  public var maximumMessageBytes = 64 * 1024 * 1024
  /// The bytes that must stay free on the office's disk: below this, nothing new is taken. 0 takes
  /// everything.
  public var diskReserveBytes = 0
  /// The source of the number of free bytes on the disk; nil asks the system.
  public var freeSpace: (any FreeSpace)?
  /// The largest file of tasks or parcels that the pages take, bytes; the command takes any.
  public var maximumImportBytes = 256 * 1024 * 1024
  /// The part of the database that the writing connection keeps in memory, KiB.
  public var databaseCacheKiB = 16_384
  /// True if the whole office is a demonstration: pages and documents then say so.
  public var isDemonstration = false

  /// Writes a line to the log that only the office's own people may read: the reasons for problems
  /// of the machine.
  public var log: @Sendable (String) -> Void = { line in
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Creates a configuration with everything else at its default.
  public init(dataDirectory: URL, software: String) {
    self.dataDirectory = dataDirectory
    self.software = software
  }

  /// The folder of the office's own files.
  public var folder: URL { dataDirectory.appendingPathComponent("office", isDirectory: true) }
}
