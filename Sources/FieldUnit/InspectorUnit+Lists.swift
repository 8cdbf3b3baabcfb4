import Inspection
import Positioning
import Store
import Sync

/// What lists are made of: one query for each, whatever they hold.
extension InspectorUnit {
  /// Where the previews of photos lie.
  package var thumbnails: ThumbnailShelf { ThumbnailShelf(folder: folder) }

  /// The person's photos as rows of a list, the newest first.
  public func photoListings(
    _ selection: Selection, limit: Int? = nil, offset: Int = 0
  ) throws -> [PhotoListing] {
    try store.read(as: person) {
      try $0.photoListings(selection, limit: limit, offset: offset)
    }
  }

  /// How many photos there are, and how many of them were not sent.
  public func photoCount(_ selection: Selection) throws -> (all: Int, unsent: Int) {
    try store.read(as: person) { try $0.photoCount(selection) }
  }

  /// The identifiers of photos in the order of their list, the newest first.
  public func photoIdentifiers(_ selection: Selection) throws -> [Identifier] {
    try store.read(as: person) { try $0.photoIdentifiers(selection) }
  }

  /// The photos whose bytes should be on this device, the newest first.
  func photosWithFiles() throws -> [Identifier] {
    try store.read(as: person) { try $0.photosWithFiles() }
  }

  /// The person's tasks without their history, and how many photos each has.
  public func taskListings(
    in state: TaskState? = nil
  ) throws -> (tasks: [InspectionTask], photos: [Identifier: Int]) {
    try store.read(as: person) { (try $0.taskListings(in: state), try $0.photoCounts()) }
  }

  /// A part of what waits to be delivered, with its names; how much waits in all, and what was said of
  /// all of it.
  public func outboxListings(
    limit: Int, offset: Int
  ) throws -> (rows: [OutboxListing], entries: Int, bytes: Int, commonAnswer: Wording?) {
    try store.read(as: person) {
      let totals = try $0.outboxTotals()
      return (
        try $0.outboxListings(limit: limit, offset: offset), totals.entries, totals.bytes,
        totals.commonAnswer
      )
    }
  }

  /// A part of the receipts, the newest first, and how many there are.
  public func receiptListings(
    limit: Int, offset: Int
  ) throws -> (rows: [ReceiptListing], count: Int) {
    try store.read(as: person) {
      (try $0.receiptListings(limit: limit, offset: offset), try $0.receiptCount())
    }
  }
}
