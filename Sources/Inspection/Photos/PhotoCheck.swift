/// One check that the office made of a photo, with its numbers, as officers see it next to the photo.
public struct PhotoCheck: Hashable, Sendable {
  /// The question that a check answers. The names are stable.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// The device's signature over record, file and raw window.
    case seal
    /// The authority that vouches for the device's key.
    case issuer
    /// The stored file and the claims in it.
    case file
    /// The photo's place in the key's chain.
    case chain
    /// The standpoint, computed again from the raw window.
    case standpoint
    /// The clocks of receiver, device and office, compared with each other.
    case times
    /// The place of the photo, compared with the parcel.
    case parcel
    /// The direction of the lens, compared with the parcel.
    case aim
    /// The revision of the order under which the photo was taken.
    case order
    /// The agency's policy for the photo.
    case policy
    /// Another photo with the same picture, found by digest.
    case reused
    /// Another photo with a picture that looks alike, found by perceptual hash. A hint, never an alarm.
    case similar
    /// The origin: camera or imported file, receiver or simulator.
    case origin
    /// The quality that the receiver reported for its own fix.
    case receiver
    /// The mobile cells and access points, compared with their known places.
    case surroundings
    /// The photo's bytes, which may have been deleted before they were sent.
    case deleted
    /// The digest that a phone's app sent with the photo. It covers the picture, the text of the
    /// time and the user, with a secret that is publicly known: it finds damage, but stops no
    /// forger.
    case appDigest = "app-digest"
    /// The position that a phone's app sent, compared with the receiver's own sentences that it
    /// sent too.
    case nmea
    /// The position that a phone's app sent, compared with the positions that the app computed from
    /// raw measurements.
    case computedPositions = "computed-positions"
  }

  /// The outcome of a check.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// The check speaks for the photo.
    case agrees
    /// The check speaks against the photo: an officer has to look.
    case contradicts
    /// The numbers do not decide.
    case unclear
    /// The data that the check needs is missing.
    case notCheckable = "not-checkable"
  }

  /// The name of a number on which a check rests. The names are stable and contain the unit.
  public enum Quantity: String, Hashable, Sendable, CaseIterable {
    case sequence, bytes, samples, effectiveSamples, recomputedDifferenceMetres, spreadMetres
    case uncertaintyMetres95, deviceMinusGNSSSeconds, fixAgeSeconds, deliveredAfterSeconds
    case distanceMetres, azimuthDegreesTrue, azimuthUncertaintyDegrees95, halfViewDegrees
    case missDegrees, reachMetres, lowestViewDegrees, highestViewDegrees
    case revision, latestRevision, distanceBits, comparedBits, others
    case satellitesUsed, meanCarrierToNoiseDecibelHertz, spreadDecibelHertz, correctionAgeSeconds
    case transmitters, known, near, far, otherDevices
    case computedCount, furthestMetres
  }

  /// The name of the check.
  public var name: Name
  /// The outcome.
  public var outcome: Outcome
  /// The numbers on which the outcome rests. A number that is not known has no entry.
  public var numbers: [Quantity: Double]
  /// The other photos that the check mentions, the most alike first.
  public var photos: [Identifier]
  /// The words of the verifier or the device about the check; nil if the numbers say all.
  public var words: String?

  /// Creates a check. Numbers that are nil or not finite are left out.
  public init(
    _ name: Name, _ outcome: Outcome, _ numbers: [Quantity: Double?] = [:],
    photos: [Identifier] = [], words: String? = nil
  ) {
    self.name = name
    self.outcome = outcome
    self.numbers = numbers.compactMapValues { $0 }.filter(\.value.isFinite)
    self.photos = photos
    self.words = words
  }

  /// The number with this name; nil if it is not known.
  public subscript(_ quantity: Quantity) -> Double? { numbers[quantity] }
}
