import Evidence
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

/// Reads the photos that a person may see: all of an agency's, or one inspector's.
public protocol PhotoReads {
  /// Reads photos, the oldest first; those deleted before they were sent are included and marked.
  func list(_ selection: Selection) throws -> [ReceivedPhoto]
  /// Calls `body` with the photos of `list` one by one, however many there are.
  func forEach(_ selection: Selection, _ body: (ReceivedPhoto) throws -> Void) throws
  /// Counts the whole photos of each of these tasks, by the results of their checks.
  func counts(of tasks: [Identifier]) throws -> [Identifier: PhotoCount]
  /// Reads one photo, or throws `StoreError.unknown`.
  func photo(_ id: Identifier) throws -> ReceivedPhoto
  /// Reads a page of photos without a task, the newest first.
  func standalone(
    isHidden: Bool, inspector: String?, limit: Int, offset: Int
  ) throws -> [ReceivedPhoto]
  /// Counts the photos without a task.
  func standaloneCount(isHidden: Bool, inspector: String?) throws -> Int
}

/// Keeps an agency's delivered photos.
public protocol PhotoRecords: PhotoReads {
  /// Reads the photos without a task after a place of their list, and the place where the next page
  /// begins; nil at the end.
  func standalone(
    isHidden: Bool, inspector: String?, after place: ListPlace?, limit: Int
  ) throws -> (photos: [ReceivedPhoto], next: ListPlace?)
  /// Finds other photos of the agency with the same picture, all or those that arrived earlier.
  func photos(
    withImage digest: String, except id: Identifier, onlyEarlier: Bool
  ) throws -> [Identifier]
  /// Finds photos that were not examined yet, in the order of their arrival.
  func unexaminedPhotos(
    after place: ListPlace, limit: Int
  ) throws -> [(place: ListPlace, id: Identifier)]
  /// Adds a delivered photo, with the results of its checks.
  func insert(_ received: ReceivedPhoto) throws
  /// Keeps the results of a photo's examination.
  func keepChecks(of received: ReceivedPhoto) throws
  /// Keeps the inspector's note on a photo.
  func setNote(_ text: String, ofPhoto id: Identifier) throws
  /// Assigns a photo without a task to a task, or takes it out of its task again (nil).
  func assign(_ photo: Photo, to task: Identifier?, at time: DeviceTime) throws
  /// Moves a photo of a task to an item of the task's order, or leaves it to the first open shot
  /// (nil). Only a photo whose record names no item is moved.
  func move(_ id: Identifier, toItem item: ItemName?) throws
  /// Hides a photo without a task from lists and maps, or shows it again (nil).
  func setHidden(_ time: DeviceTime?, _ photo: Photo) throws
}
