import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

/// An agency's photo points, with the photos that repeat them.
public protocol PhotoPointRecords {
  /// Adds a point; false if it is known, or if its code is another point's.
  func insert(_ point: PhotoPoint) throws -> Bool
  /// Returns a point; nil if the agency has none of that identifier.
  func point(_ id: Identifier) throws -> PhotoPoint?
  /// Returns the point with a code; nil if the agency has none.
  func point(withCode code: PhotoPointCode) throws -> PhotoPoint?
  /// Returns the points whose reference is a photo, the earliest first.
  func points(ofPhoto photo: Identifier) throws -> [PhotoPoint]
  /// Returns a page of the points, the newest first; those whose name holds a text, or whose code
  /// begins with it, or all (nil). Of those, the withdrawn ones, the others, or all (nil).
  func page(
    named name: String?, isWithdrawn: Bool?, after place: ListPlace?, limit: Int
  ) throws -> (points: [PhotoPoint], next: ListPlace?)
  /// Counts the points: the withdrawn ones, or the others.
  func count(isWithdrawn: Bool) throws -> Int
  /// Withdraws a point at a time, or brings it back (nil).
  func set(withdrawn time: DeviceTime?, ofPoint id: Identifier) throws
  /// Returns the withdrawn points that a person has made, the newest first.
  func withdrawn(madeBy maker: String, limit: Int) throws -> [Identifier]
  /// Returns the points within a distance of a place, the nearest first, without withdrawn ones.
  func near(
    _ place: Coordinate, metres: Double, limit: Int
  ) throws -> [(point: PhotoPoint, metres: Double)]
  /// Changes a point's name, parcel, subject and footing photo; the rest stays.
  func change(_ point: PhotoPoint) throws
  /// Keeps the claims of a photo that repeats a point, which may come later.
  func keep(_ new: ReceivedRepeat) throws
  /// Keeps the office's own comparison of a repeat.
  func keep(_ measured: ReceivedRepeat.Measured, ofPhoto photo: Identifier, at time: DeviceTime)
    throws
  /// Counts the repeats of a point whose photos were not deleted, with the time of the last one.
  func tally(ofPoint id: Identifier) throws -> (count: Int, last: DeviceTime?)
  /// Returns the repeats of a point, the oldest first.
  func repeats(ofPoint id: Identifier) throws -> [ReceivedRepeat]
  /// Returns the repeat that a photo is; nil if it repeats nothing.
  func repetition(ofPhoto id: Identifier) throws -> ReceivedRepeat?
  /// Keeps the reason why a task's point was not photographed again.
  func keep(reason text: String, forPoint point: Identifier, task: Identifier) throws
  /// Returns the repeats among a task's photos, and the reasons for points without one.
  func outcome(
    ofTask id: Identifier
  ) throws -> (repeats: [ReceivedRepeat], reasons: [Identifier: String])
  /// Returns repeats that were not compared yet and whose points are known.
  func unmeasured(limit: Int) throws -> [ReceivedRepeat]
}
