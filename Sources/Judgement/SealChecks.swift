import Evidence
import Inspection
import Positioning
import Sync
import TimeAndText

/// The verifier's findings about a photo on arrival, sorted by the question that an officer asks,
/// each with its numbers.
package struct SealChecks {
  package let seal: SealFile
  /// The photo with its deletion, its verdict and the verifier's findings.
  package let received: ReceivedPhoto
  /// The time at which the office took the photo.
  package let time: DeviceTime
  /// The distance between the claimed position and the one computed again from the raw window,
  /// metres; nil if the window is missing or gives no position.
  package let recomputedDifferenceMetres: Double?
  /// The time at which the office gave the challenge that the record names; nil if it names none, or none is here.
  package let challenged: DeviceTime?
  /// True if the device says that its key is in a token.
  package let isInToken: Bool
  /// True if a TPM whose maker the office knows has shown that it has the key.
  package let isAttested: Bool

  /// Creates the checks of a photo from `received`, its seal and its raw window.
  package init(
    seal: SealFile, received: ReceivedPhoto, time: DeviceTime, recomputedDifferenceMetres: Double?,
    challenged: DeviceTime?, isInToken: Bool, isAttested: Bool = false
  ) {
    (self.isInToken, self.isAttested) = (isInToken, isAttested)
    self.challenged = challenged
    self.seal = seal
    self.received = received
    self.time = time
    self.recomputedDifferenceMetres = recomputedDifferenceMetres
  }

  package func checks() -> [PhotoCheck] {
    let photo = received.photo
    let isWhole = received.deletedReason == nil
    var checks = [
      check(.seal, [.sequence: Double(seal.seal.link.sequence)]),
      check(.issuer, [.isInToken: isInToken ? 1 : nil, .isAttested: isAttested ? 1 : nil]),
      check(.file, isWhole ? [.bytes: Double(photo.bytes)] : [:]),
      check(.chain, [.sequence: Double(seal.seal.link.sequence)]),
      check(
        .standpoint,
        [
          .recomputedDifferenceMetres: recomputedDifferenceMetres,
          .samples: photo.standpoint.map { Double($0.samples) },
          .effectiveSamples: photo.standpoint?.effectiveSamples,
          .spreadMetres: photo.standpoint?.spreadMetres,
          .uncertaintyMetres95: photo.position.uncertaintyMetres95,
        ]), times(), check(.origin),
    ]
    for index in checks.indices where checks[index].outcome == .agrees {
      switch checks[index].name {
      case .file where !isWhole: checks[index].outcome = .notCheckable
      // Nothing was compared if the receiver's bytes are missing or give no position. If they are
      // from another time, equal positions do not support the claim.
      case .standpoint:
        if let difference = recomputedDifferenceMetres {
          if difference > Limits.recomputedDifferenceMetres || hasFinding(.times) {
            checks[index].outcome = .contradicts
          }
        } else {
          checks[index].outcome = .notCheckable
        }
      // Only the signals themselves can show if a simulator made them.
      case .origin where recomputedDifferenceMetres == nil: checks[index].outcome = .notCheckable
      case .times where checks[index][.deviceMinusGNSSSeconds] == nil || !isWhole:
        checks[index].outcome = .unclear
      default: break
      }
    }
    if !isWhole {
      let deletion = received.deleted.map { "\($0.rfc3339): " } ?? ""
      checks.append(
        PhotoCheck(
          .deleted, .unclear, reason: .deletion(deletion + (received.deletedReason ?? ""))))
    }
    return checks
  }

  private func hasFinding(_ check: Finding.Check) -> Bool {
    received.findings.contains { $0.check == check && $0.severity != .note }
  }

  /// Returns the check with the worst of the verifier's findings under a name.
  private func check(
    _ name: PhotoCheck.Name, _ numbers: [PhotoCheck.Quantity: Double?] = [:]
  ) -> PhotoCheck {
    let own = received.findings.filter { Self.name(of: $0.check) == name }
    let worst = own.max { $0.severity.verdict < $1.severity.verdict }
    let outcome: PhotoCheck.Outcome =
      switch worst?.severity {
      case nil: .agrees
      case .note: .unclear
      case .doubtful, .incomplete, .altered: .contradicts
      }
    return PhotoCheck(name, outcome, numbers, reason: (worst?.message).map { .finding($0) })
  }

  private func times() -> PhotoCheck {
    let record = seal.record["time"]
    // The difference is computed here, because the record's own number would only be another claim.
    let difference = received.photo.gnssTime.millisecondsSince1970.map {
      Double(received.photo.deviceTime.millisecondsSince1970 - $0) / 1000
    }
    let after =
      Double(time.millisecondsSince1970 - received.photo.deviceTime.millisecondsSince1970) / 1000
    var times = check(
      .times,
      [
        .deviceMinusGNSSSeconds: difference, .fixAgeSeconds: record?["fixAgeSeconds"]?.measured,
        .deliveredAfterSeconds: after,
        .challengedSecondsSince1970: challenged.map { Double($0.millisecondsSince1970) / 1000 },
        .receivedSecondsSince1970: challenged.map { _ in Double(time.millisecondsSince1970) / 1000
        },
      ])
    if received.photo.isSimulated {
      // A replay runs under the clock of its log, not under the device's clock.
      if times.outcome == .agrees { times.outcome = .notCheckable }
    } else if after < -ClockTolerance.seconds, times.outcome == .agrees {
      times.outcome = .contradicts
    }
    return times
  }

  private static func name(of check: Finding.Check) -> PhotoCheck.Name {
    switch check {
    case .seal: .seal
    case .file, .image, .exif, .xmp, .manifest, .unnamed, .unfinished: .file
    case .rawWindow, .standpoint: .standpoint
    case .chain: .chain
    case .times: .times
    case .simulated, .origin, .composite: .origin
    case .certificate, .revoked, .receipt, .log, .list, .timestamp: .issuer
    case .reused: .reused
    case .deletion: .deleted
    }
  }
}
