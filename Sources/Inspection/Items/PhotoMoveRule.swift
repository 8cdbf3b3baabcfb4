/// The rule by which an officer moves a photo of a sent task to another item of its order. The
/// photo's record stays as it is: the officer's mark stands beside it, at the office.
public enum PhotoMoveRule {
  /// Returns the reason why a photo cannot be moved; nil if it can.
  /// - Parameters:
  ///   - state: the state of the photo's task.
  ///   - verdicts: the office's words on the items of that task.
  public static func refusal(
    of photo: Photo, in state: TaskState, _ verdicts: ItemVerdicts
  ) -> ItemRefusal? {
    if state != .dataProvided { return .photoNotWaiting(state) }
    if let name = photo.item { return .photoNames(name) }
    // A returned photo counts for no item any more, and an accepted one stays with its item.
    let isJudged = verdicts.refused.contains(photo.id) || verdicts.kept[photo.id] != nil
    return isJudged ? .photoJudged : nil
  }

  /// Requires that a photo can be moved to an item.
  /// - Parameters:
  ///   - target: the item; nil leaves the photo to the first open shot.
  ///   - order: the items of the present order of the photo's task.
  /// - Throws: `InspectionError.item` with the reason for the refusal.
  public static func require(
    _ photo: Photo, to target: ItemName?, of order: OrderItems, in state: TaskState,
    _ verdicts: ItemVerdicts
  ) throws(InspectionError) {
    if let refusal = refusal(of: photo, in: state, verdicts) { throw .item(refusal) }
    guard let target else { return }
    guard let item = order[target] else { throw .item(.unknown(target.description)) }
    guard item.takesPhotos else { throw .item(.noShot(target)) }
  }
}
