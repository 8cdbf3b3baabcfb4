import Evidence
import Geodesy
import Inspection

/// The check of the cells and access points that a capture heard, against their places in the
/// agency's own list and the places at which earlier captures heard them. No third party is asked.
package enum SurroundingsCheck {
  package static func check(
    _ seal: SealFile, at place: Coordinate, known: [String: [TransmitterPlace]]
  ) -> PhotoCheck {
    check(seal.transmitters, ofKey: seal.seal.link.key, at: place, known: known)
  }

  /// Makes the check from names that no seal holds.
  /// - Parameters:
  ///   - names: The names of the transmitters that were heard; nil if the capture carries no surroundings.
  ///   - key: The key of the device that heard them. If only this device has heard a transmitter
  ///     elsewhere, that says nothing.
  ///   - place: The claimed place of the photo.
  ///   - heard: The places at which each transmitter is or was heard, by its name.
  package static func check(
    _ names: [String]?, ofKey key: String, at place: Coordinate,
    known heard: [String: [TransmitterPlace]]
  ) -> PhotoCheck {
    guard let names else { return PhotoCheck(.surroundings, .notCheckable) }
    var known = 0
    var near = 0
    var far = 0
    var least = Double.infinity
    var witnesses: Set<String> = []
    for name in names {
      guard let places = heard[name], !places.isEmpty else { continue }
      known += 1
      let limits = name.hasPrefix("wifi-") ? Limits.accessPointMetres : Limits.cellMetres
      var isNear = false
      var isFar = false
      var isBetween = false
      for one in places {
        let distance = Geodesic.distanceMetres(from: one.coordinate, to: place)
        least = min(least, distance)
        // The agency's list gives the range of a cell.
        let reach =
          one.rangeMetres.map {
            (near: max($0 + 1_000, limits.near), far: max(2 * $0 + 5_000, limits.far))
          } ?? limits
        if distance <= reach.near {
          isNear = true
          if one.key != key { witnesses.insert(one.key ?? "list") }
        }
        // A transmitter that only this device has heard elsewhere may travel with it, such as a
        // telephone or a car.
        if distance > reach.far, one.key != key { isFar = true }
        if distance > reach.near, distance <= reach.far { isBetween = true }
      }
      // A transmitter that is known near and far moves, and says nothing.
      if isNear != isFar, isNear || !isBetween {
        if isNear { near += 1 } else { far += 1 }
      }
    }
    let outcome: PhotoCheck.Outcome =
      if known == 0 {
        .notCheckable
      } else if far > near {
        .contradicts
      } else if near > far, !witnesses.isEmpty {
        .agrees
      } else {
        // Only this device's own earlier captures support the place, or as many transmitters
        // contradict it.
        .unclear
      }
    return PhotoCheck(
      .surroundings, outcome,
      [
        .transmitters: Double(names.count), .known: Double(known), .near: Double(near),
        .far: Double(far), .otherDevices: Double(witnesses.count), .distanceMetres: least,
      ])
  }
}

extension Limits {
  /// The distances for Wi-Fi access points, metres. Within `near` a transmitter supports a
  /// position, beyond `far` it contradicts the position; between them it says nothing.
  package static let accessPointMetres = (near: 1_000.0, far: 5_000.0)
  /// The distances for mobile cells, metres; see `accessPointMetres`.
  package static let cellMetres = (near: 30_000.0, far: 60_000.0)
}
