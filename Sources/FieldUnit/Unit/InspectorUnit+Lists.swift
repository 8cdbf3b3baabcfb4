import Inspection
import Store
import Sync
import Synchronization
import TimeAndText

/// The rows of lists: one query for each list, however long.
extension InspectorUnit {
  /// The previews of photos as files.
  package var thumbnails: ThumbnailShelf { ThumbnailShelf(folder: folder) }

  /// Returns the person's photos as rows of a list, the newest first; without a limit all of them.
  public func photoListings(
    _ selection: Selection, limit: Int? = nil, offset: Int = 0
  ) throws -> [PhotoListing] {
    try store.read(as: person) {
      try $0.photos.listings(selection, limit: limit, offset: offset)
    }
  }

  /// Returns the number of photos, and the number of those that were not sent.
  public func photoCount(_ selection: Selection) throws -> (all: Int, unsent: Int) {
    try store.read(as: person) { try $0.photos.count(selection) }
  }

  /// Returns the identifiers of photos in the order of their list, the newest first.
  public func photoIdentifiers(_ selection: Selection) throws -> [Identifier] {
    try store.read(as: person) { try $0.photos.identifiers(selection) }
  }

  /// Returns the photos whose bytes should be on this device, the newest first.
  func photosWithFiles() throws -> [Identifier] {
    try store.read(as: person) { try $0.photos.identifiersWithFiles() }
  }

  /// Returns the person's tasks without their history, and the number of photos of each.
  public func taskListings(
    in state: TaskState? = nil
  ) throws -> (tasks: [InspectionTask], photos: [Identifier: Int]) {
    try store.read(as: person) { (try $0.tasks.listings(in: state), try $0.photos.countsByTask()) }
  }

  /// Returns a part of the outbox with names; the number and the bytes of all that waits; and the
  /// office's answer if it was the same for all entries, otherwise nil.
  public func outboxListings(
    limit: Int, offset: Int
  ) throws -> (rows: [OutboxListing], entries: Int, bytes: Int, commonAnswer: Wording?) {
    try store.read(as: person) {
      let totals = try $0.outbox.totals()
      return (
        try $0.outbox.listings(limit: limit, offset: offset), totals.entries, totals.bytes,
        totals.commonAnswer
      )
    }
  }

  /// Returns a part of the receipts, the newest first, and the number of all.
  public func receiptListings(
    limit: Int, offset: Int
  ) throws -> (rows: [ReceiptListing], count: Int) {
    try store.read(as: person) {
      (try $0.batches.receiptListings(limit: limit, offset: offset), try $0.batches.receiptCount())
    }
  }

  /// Returns the figures of the first page, which asks for them with every fix.
  package func figures() throws -> FieldFigures {
    let mark = FigureShelf.Mark(
      writings: store.writings, journal: FileStatus(ofPath: folder.database + "-wal"))
    return try figureShelf.figures(at: clock.elapsed, mark: mark) {
      try store.read(as: person) { try $0.figures() }
    }
  }
}
