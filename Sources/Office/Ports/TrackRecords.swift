import Evidence
import Geodesy
import Inspection
import Positioning
import Store
import Sync
import TimeAndText

/// Reads the tracks that a person may see: all of an agency's, or one inspector's.
public protocol TrackReads {
  /// Reads the identifiers of delivered tracks, the oldest first.
  func identifiers(_ selection: Selection) throws -> [Identifier]
  /// Reads one whole track, or throws `StoreError.unknown`.
  func track(_ id: Identifier) throws -> ReceivedTrack
  /// Reads a page of tracks, the newest first.
  func page(isHidden: Bool, inspector: String?, limit: Int, offset: Int) throws -> [ReceivedTrack]
  /// Counts the tracks of `page`.
  func count(isHidden: Bool, inspector: String?) throws -> Int
}

/// Keeps an agency's delivered tracks; their points are in files.
public protocol TrackRecords: TrackReads {
  /// Reads the tracks after a place of their list, and the place where the next page begins; nil at
  /// the end.
  func page(
    isHidden: Bool, inspector: String?, after place: ListPlace?, limit: Int
  ) throws -> (tracks: [ReceivedTrack], next: ListPlace?)
  /// True if a track was deleted before it was sent.
  func isDeleted(track id: Identifier) throws -> Bool
  /// Adds a delivered track; nil measures if its points are not here or cannot be read.
  func insert(
    track id: Identifier, inspector: String, task: Identifier?, lateTask: Identifier?,
    name: String, started: DeviceTime, at time: DeviceTime, deletedReason: String?,
    measures: TrackMeasures?) throws
  /// Hides a track from the lists, or shows it again (nil).
  func setHidden(_ time: DeviceTime?, track id: Identifier) throws
}
