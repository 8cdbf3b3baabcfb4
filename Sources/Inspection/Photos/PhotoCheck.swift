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
    /// The directions in which the receiver saw satellites, compared with the office's own orbits for
    /// that place and hour.
    case sky
    /// The noise of positions and signals over time, compared with a real receiver's.
    case noise
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
    case sequence, isInToken, isAttested, bytes, samples, effectiveSamples
    case recomputedDifferenceMetres, spreadMetres
    case uncertaintyMetres95, deviceMinusGNSSSeconds, fixAgeSeconds, deliveredAfterSeconds
    case challengedSecondsSince1970, receivedSecondsSince1970
    case distanceMetres, azimuthDegreesTrue, azimuthUncertaintyDegrees95, halfViewDegrees
    case missDegrees, reachMetres, lowestViewDegrees, highestViewDegrees
    case revision, latestRevision, distanceBits, comparedBits, others
    case satellitesUsed, meanCarrierToNoiseDecibelHertz, spreadDecibelHertz, correctionAgeSeconds
    case transmitters, known, near, far, otherDevices
    case reportedSatellites, comparedSatellites, agreeingSatellites, medianMissDegrees, orbitAgeDays
    case epochs, spanSeconds, positionCorrelation, signals, changedSignals, signalCorrelation
    case computedCount, furthestMetres
  }

  /// The reason for an outcome that numbers alone do not explain.
  public enum Reason: Hashable, Sendable {
    /// A finding of the verifier, in English.
    case finding(String)
    /// The time at which an inspector deleted the photo, and the reason in the inspector's words.
    case deletion(String)
    /// The photo names a policy that its office never signed.
    case unknownPolicy
    /// The rules of its policy that the photo breaks.
    case brokenRules([CaptureRule])
    /// A phone's app sent the photo, and no device key has sealed it.
    case unsealedApp
    /// The time that a phone's app sent cannot be read.
    case unreadableAppTime
    /// The time is lost as the phone's app wrote it, so that its digest cannot be computed again.
    case lostAppTime
    /// A phone's app sent 0, 0, as it does where it has never had a position.
    case nowhere
    /// The signs of an invented receiver in the noise.
    case invented([NoiseSign])
  }

  /// A sign that no receiver made the data. A single one may come from a real receiver.
  public enum NoiseSign: String, Hashable, Sendable, CaseIterable {
    /// Neighbouring positions differ as if each had been drawn anew.
    case drawnPositions = "drawn-positions"
    /// Neighbouring signals of a satellite differ as if each had been drawn anew.
    case drawnSignals = "drawn-signals"
    /// No signal ever changed.
    case constantSignals = "constant-signals"
    /// No position and no height ever changed.
    case constantPositions = "constant-positions"
  }

  /// The name of the check.
  public var name: Name
  /// The outcome.
  public var outcome: Outcome
  /// The numbers on which the outcome rests. A number that is not known has no entry.
  public var numbers: [Quantity: Double]
  /// The other photos that the check mentions, the most alike first.
  public var photos: [Identifier]
  /// The reason for the outcome; nil if the numbers say all.
  public var reason: Reason?

  /// Creates a check. Numbers that are nil or not finite are left out.
  public init(
    _ name: Name, _ outcome: Outcome, _ numbers: [Quantity: Double?] = [:],
    photos: [Identifier] = [], reason: Reason? = nil
  ) {
    self.name = name
    self.outcome = outcome
    self.numbers = numbers.compactMapValues { $0 }.filter(\.value.isFinite)
    self.photos = photos
    self.reason = reason
  }

  /// The number with this name; nil if it is not known.
  public subscript(_ quantity: Quantity) -> Double? { numbers[quantity] }
}

extension PhotoCheck.Reason {
  // Rows and the programs' interface hold these. A word has its meaning only under its check.
  private static let unknown = "unknown"
  private static let app = "egnss4cap"
  private static let lost = "time-lost"
  private static let zero = "nowhere"

  /// The text by which rows and programs know the reason. It is stable.
  public var text: String {
    switch self {
    case .finding(let words), .deletion(let words): words
    case .unknownPolicy: Self.unknown
    case .brokenRules(let rules): rules.map(\.rawValue).joined(separator: ",")
    case .unsealedApp, .unreadableAppTime: Self.app
    case .lostAppTime: Self.lost
    case .nowhere: Self.zero
    case .invented(let signs): signs.map(\.rawValue).joined(separator: ",")
    }
  }

  /// Reads the text of a reason of the check `name`; nil if no check of this name has such a reason.
  public init?(_ text: String, of name: PhotoCheck.Name) {
    switch (name, text) {
    case (.policy, Self.unknown): self = .unknownPolicy
    case (.policy, _):
      let names = text.split(separator: ",")
      let rules = names.compactMap { CaptureRule(rawValue: String($0)) }
      guard rules.count == names.count else { return nil }
      self = .brokenRules(rules)
    case (.noise, _):
      let signs = text.split(separator: ",").map { PhotoCheck.NoiseSign(rawValue: String($0)) }
      guard !signs.isEmpty, !signs.contains(nil) else { return nil }
      self = .invented(signs.compactMap(\.self))
    case (.origin, Self.app): self = .unsealedApp
    case (.times, Self.app): self = .unreadableAppTime
    case (.appDigest, _):
      guard text == Self.lost else { return nil }
      self = .lostAppTime
    case (.nmea, _):
      guard text == Self.zero else { return nil }
      self = .nowhere
    case (.deleted, _): self = .deletion(text)
    default: self = .finding(text)
    }
  }
}
