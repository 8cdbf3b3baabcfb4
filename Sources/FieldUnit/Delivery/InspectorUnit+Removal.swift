import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync

// Delivered photos stay on the device until somebody wants the room. Who says so is the inspector or
// the agency; when is after both sides were compared, and the office has read the bytes themselves.

extension InspectorUnit {
  /// When delivered photos leave this device.
  public func removalRule() throws -> RemovalRule { try settings().removalRule }

  /// Photos whose bytes have left this device, and when.
  public func removedPhotos() throws -> [Identifier: DeviceTime] {
    try store.read(as: person) { try $0.removedPhotos() }
  }

  /// Removes what the rule says, once the office has read the bytes of each and found them right.
  /// - Returns: how many photos it were.
  package func removeDelivered(_ office: OfficeConversation) async throws -> Int {
    let rule = try removalRule()
    guard rule.days != nil else { return 0 }
    let now = clock.deviceTime.gnssTime
    let candidates = try store.read(as: person) { try $0.confirmedPhotos() }.filter {
      rule.lets(deliveredSeconds: now.seconds(since: $0.delivered.gnssTime), task: $0.task)
    }.map(\.thing)
    var count = 0
    for start in stride(from: 0, to: candidates.count, by: HeldQuestion.maximumDeepThings) {
      let things = Array(
        candidates[start..<min(start + HeldQuestion.maximumDeepThings, candidates.count)])
      let states = try await ask(things, office, isDeep: true).states
      let held = things.map(\.id).filter { states[$0] == .held }
      // The row says first that they go: after a crash in between the rest goes at the next start.
      let removed = try store.write(as: person) {
        try $0.markRemoved(held, at: clock.deviceTime)
      }
      for id in removed { try removeFiles(ofPhoto: id) }
      count += removed.count
    }
    return count
  }
}
