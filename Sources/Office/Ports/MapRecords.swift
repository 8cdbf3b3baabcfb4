import Evidence
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

/// Finds the photos and tasks of an agency by place.
public protocol MapRecords {
  /// Counts photos and tasks in the cells of a level, for a view. A nil filter counts photos without a
  /// task, too. With a span of years, only the photos of these years are counted, and no tasks.
  func clusters(
    in box: CoordinateBox, level: Int, _ filter: TaskFilter?, years: YearSpan?, at now: DeviceTime
  ) throws -> [MapCluster]
  /// Counts the tasks of the cells that a view touches, and the photos of each year.
  func tally(
    in box: CoordinateBox, level: Int, _ filter: TaskFilter?, at now: DeviceTime
  ) throws -> MapTally
  /// Finds the first and the last year of which there is a photo; nil without photos.
  func years() throws -> YearSpan?
  /// Counts the photos and tasks of the cells that a view touches.
  func things(in box: CoordinateBox, level: Int) throws -> Int
  /// Reads the photos in a view, at most `limit`.
  func placedPhotos(
    in box: CoordinateBox, _ filter: TaskFilter?, years: YearSpan?, at now: DeviceTime, limit: Int
  ) throws -> [PlacedPhoto]
  /// Reads the tasks in a view, by the middles of their parcels, at most `limit`.
  func placedTasks(
    in box: CoordinateBox, _ filter: TaskFilter?, at now: DeviceTime, limit: Int
  ) throws -> [InspectionTask]
  /// Finds the box around all of them; nil if nothing has a place.
  func extent(_ filter: TaskFilter?, at now: DeviceTime) throws -> CoordinateBox?
}
