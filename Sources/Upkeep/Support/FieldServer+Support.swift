import Evidence
import FieldUnit
import Foundation
import Inspection
import Receivers
import Store
import Sync
import TimeAndText

extension FieldServer {
  /// Returns the bundle of the present moment.
  package func supportBundle() async -> SupportBundle {
    let status: DeliveryStatus
    do {
      status = try deliveryStatus
    } catch {
      status = DeliveryStatus(wording: "it cannot be read who is signed in: \(error)")
    }
    let receiver =
      if let follower { await SupportBundle.lines(of: follower, clock) } else { ["no receiver"] }
    return SupportBundle(
      configuration: configuration, clock: clock, office: defaultOffice, camera: camera,
      receiver: receiver,
      delivery: status.words.map { "\(status.time?.rfc3339 ?? "") \($0)" })
  }
}
