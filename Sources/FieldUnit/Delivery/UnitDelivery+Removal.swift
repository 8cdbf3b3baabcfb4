import Evidence
import Foundation
import Inspection
import Store
import Sync
import TimeAndText

// Delivered photos stay on the device until the inspector or the agency wants the room. Their bytes
// are removed only after both sides were compared, and after the office has read the bytes itself.

extension UnitDelivery {
  /// Returns the rule by which delivered photos leave this device.
  public func removalRule() throws -> RemovalRule { try unit.settings().removalRule }

  /// Returns the photos whose bytes have left this device, with the times.
  public func removedPhotos() throws -> [Identifier: DeviceTime] {
    try store.read(as: person) { try $0.photos.removed() }
  }

  /// Removes the photos that the rule names, once the office has read the bytes of each and found
  /// them right.
  /// Sets of frames leave by the same rule.
  /// - Returns: the number of photos and sets that were removed.
  package func removeDelivered(_ office: OfficeConversation) async throws -> Int {
    let rule = try removalRule()
    guard rule.days != nil else { return 0 }
    let now = clock.deviceTime.gnssTime
    // A photo on which a photo point rests stays: whoever comes back needs it without a network.
    let candidates = try store.read(as: person) { session in
      try session.delivered.confirmedPhotos().filter {
        rule.lets(deliveredSeconds: now.seconds(since: $0.delivered.gnssTime), task: $0.task)
      }.map(\.thing).filter { try !session.points.isReference($0.id) }
    }
    var count = 0
    for start in stride(from: 0, to: candidates.count, by: HeldQuestion.maximumDeepThings) {
      let things = Array(
        candidates[start..<min(start + HeldQuestion.maximumDeepThings, candidates.count)])
      let states = try await ask(things, office, isDeep: true).states
      let held = things.map(\.id).filter { states[$0] == .held }
      // The removal is committed before the bytes go: after a crash in between, the next start
      // removes the rest.
      let removed = try store.write(as: person) {
        try $0.photos.markRemoved(held, at: clock.deviceTime)
      }
      for id in removed { try unit.removeFiles(ofPhoto: id) }
      count += removed.count
    }
    return try await count + removeSets(rule, office)
  }

  private func removeSets(_ rule: RemovalRule, _ office: OfficeConversation) async throws -> Int {
    let now = clock.deviceTime
    let candidates = try store.read(as: person) { try $0.delivered.confirmedSets() }.filter {
      rule.lets(
        deliveredSeconds: now.gnssTime.seconds(since: $0.delivered.gnssTime), task: $0.task)
    }.map(\.thing)
    var count = 0
    for thing in candidates {
      guard try await ask([thing], office, isDeep: true).states[thing.id] == .held else { continue }
      try store.write(as: person) { try $0.sets.markRemoved(thing.id, at: now) }
      try unit.removeFiles(ofSet: thing.id)
      count += 1
    }
    return count
  }
}
