/// One check that the office made of a photo, with its numbers: what officers see beside it.
public struct PhotoCheck: Hashable, Sendable {
  /// What was checked. The names are stable.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// The device's signature over record, file and raw window.
    case seal
    /// Who vouches for the device's key.
    case issuer
    /// The stored file and the claims in it.
    case file
    /// The place in the key's chain.
    case chain
    /// The standpoint, computed again from the raw window.
    case standpoint
    /// Clocks of receiver, device and office against each other.
    case times
    /// Where the photo was taken against the parcel.
    case parcel
    /// Where the lens looked against the parcel.
    case aim
    /// Which order the photo was taken under.
    case order
    /// What the agency had laid down for it.
    case policy
    /// The same picture in another photo, by digest.
    case reused
    /// A picture that looks the same, by perceptual hash. A hint, never an alarm.
    case similar
    /// Camera or imported file, receiver or simulator.
    case origin
    /// What the receiver said of its own fix.
    case receiver
    /// Cells and access points against what is known of them.
    case surroundings
    /// Whether its bytes were deleted before they were sent.
    case deleted
    /// The digest that a phone's app has sent along. It is over the picture, the text of the time and the
    /// user, with a secret that everybody knows: it finds damage, and no forger.
    case appDigest = "app-digest"
    /// The position that a phone's app sent, against the receiver's own sentences that it sent along.
    case nmea
    /// The same against the positions that the app has computed from raw measurements.
    case computedPositions = "computed-positions"
  }

  /// What came out.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// It speaks for the photo.
    case agrees
    /// It speaks against the photo: somebody has to look.
    case contradicts
    /// The number does not decide it.
    case unclear
    /// What would be needed is not there.
    case notCheckable = "not-checkable"
  }

  /// A number that a check rests upon. The names are stable, and the unit is in them.
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

  /// What was checked.
  public var name: Name
  /// What came out.
  public var outcome: Outcome
  /// What it rests upon; a number that is not known is not among them.
  public var numbers: [Quantity: Double]
  /// Other photos that it speaks of, the most alike first.
  public var photos: [Identifier]
  /// What the verifier or the device said about it, in its words; nil where the numbers say all.
  public var words: String?

  /// A check from its parts; numbers that are nil or not finite are left out.
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

  /// A number that it rests upon.
  public subscript(_ quantity: Quantity) -> Double? { numbers[quantity] }
}
