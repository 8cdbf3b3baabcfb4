/// How far a thing has come on its way to the office.
package enum SentState: Hashable, Sendable {
  /// It was not sent, or was taken back since.
  case notSent
  /// It waits in the outbox, or is on its way.
  case waiting
  /// A receipt for it has come.
  case delivered

  /// Creates the state of a task.
  /// - Parameter isWaiting: true if the outbox has an entry of the task.
  package init(of task: TaskState, isWaiting: Bool) {
    if task.isEditable {
      self = .notSent
    } else if isWaiting {
      self = .waiting
    } else {
      // A task that was provided and waits no more was delivered; the officer withdraws one that
      // was never provided.
      self = task == .withdrawn ? .notSent : .delivered
    }
  }

  /// Creates the state of a photo.
  /// - Parameter isWaiting: true if the outbox has an entry of the photo, or of a note on it.
  package init(of photo: Photo, isWaiting: Bool) {
    if photo.sent == nil {
      self = .notSent
    } else {
      self = isWaiting || photo.delivered == nil ? .waiting : .delivered
    }
  }
}
