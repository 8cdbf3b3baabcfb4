import Inspection

/// One drain of the outbox, with the wholes that are not sent in it any more.
struct DrainRun {
  let office: OfficeConversation
  let tally: DeliveryTally
  /// The office's answer that it has no room for files; nil as long as it has not said so.
  var full: DeliveryError?
  /// Wholes that the office has refused, or that have a file that cannot be read.
  var failed: Set<Identifier> = []
  /// Wholes that wait until the office has room for files.
  var heldBack: Set<Identifier> = []

  /// The wholes that are not sent in this run any more.
  var passedOver: Set<Identifier> { failed.union(heldBack) }
}

/// The result of sending a batch.
struct SentBatch {
  /// The number of entries of the outbox that were delivered.
  var delivered = 0
  /// The office's refusal of the batch; nil if it was accepted.
  var refusal: DeliveryError?
  /// An answer to the files that were sent ahead which ends this run, or says that the office is
  /// full; nil if there was none.
  var end: DeliveryError?
}
