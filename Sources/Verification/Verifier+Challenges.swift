import Evidence
import Positioning
import TimeAndText

// Between which of the office's times a record was sealed: not before its challenge, not after its receipt.

extension Verifier {
  /// The times between which a record was sealed.
  public struct SealedBetween: Hashable, Sendable {
    /// The path of the seal.
    public var subject: String
    /// The time of the office's challenge that the record names, by the office's clock.
    public var after: DeviceTime
    /// The time of the first receipt that names the record, by the office's clock; nil if none does.
    public var before: DeviceTime?

    /// The width, seconds; nil without an end.
    public var seconds: Double? { before.map { $0.gnssTime.seconds(since: after.gnssTime) } }
  }

  /// Reads the challenges, and compares them with the records that name them.
  /// - Parameter witnessed: for each record's digest, the time at which an office first said that it holds the record.
  mutating func checkChallenges(_ witnessed: [String: DeviceTime]) -> [SealedBetween] {
    let challenges = readChallenges()
    var between: [SealedBetween] = []
    for entry in seals {
      guard let digest = CaptureChallenge.digest(in: entry.file.record) else { continue }
      guard let challenge = challenges[digest] else {
        if scopeIsWhole {
          add(
            entry.path, .times, .note,
            "the office's challenge that it names is not here: nothing says since when it can have been made"
          )
        }
        continue
      }
      guard challenge.key == entry.link.key else {
        add(
          entry.path, .times, .doubtful,
          "the office gave the challenge that it names to another key")
        continue
      }
      let before = witnessed[entry.link.record]
      between.append(
        SealedBetween(subject: entry.path, after: challenge.issued, before: before))
      compare(entry, challenge, before)
    }
    return between
  }

  private mutating func compare(
    _ entry: Entry, _ challenge: CaptureChallenge, _ before: DeviceTime?
  ) {
    if let before,
      challenge.issued.gnssTime.seconds(since: before.gnssTime) > ClockTolerance.seconds
    {
      add(
        entry.path, .times, .doubtful,
        "it contains a challenge of \(moment: challenge.issued), but an office had it at \(moment: before)"
      )
    }
    guard let made = ClockOrder.comparableDeviceTime(entry.file.record),
      challenge.issued.gnssTime.seconds(since: made.gnssTime) > ClockTolerance.seconds
    else { return }
    add(
      entry.path, .times, .doubtful,
      "it says it was made at \(moment: made), but it contains a challenge that the office gave at \(moment: challenge.issued)"
    )
  }

  /// Returns true if the office's log held all records that name a challenge before the key of the challenge was
  /// revoked: then the challenge was there, too.
  private func isHeldBefore(_ challenge: CaptureChallenge) -> Bool {
    guard let revocation = revokedKeys.revocation(of: challenge.certificate, in: book),
      book.problem(ofStatementBy: challenge.certificate, about: challenge.key) == nil
    else { return false }
    return seals.filter {
      $0.link.key == challenge.key
        && CaptureChallenge.digest(in: $0.file.record) == challenge.digest
    }.allSatisfy {
      revokedKeys.held(record: $0.link.record, before: revocation)
    }
  }

  /// Reads `challenges/*.challenge`.
  /// - Returns: those that an office gave that may speak about the key, by digest.
  private mutating func readChallenges() -> [String: CaptureChallenge] {
    var challenges: [String: CaptureChallenge] = [:]
    for path in files.paths.sorted()
    where path.hasSuffix(CaptureChallenge.ending) && !Self.isStaged(path) {
      guard let jws = text(of: path, .times) else { continue }
      do throws(EvidenceError) {
        let challenge = try CaptureChallenge(jws: jws)
        book.learn(from: challenge.certificate)
        if isHeldBefore(challenge) {
          challenges[challenge.digest] = challenge
        } else if let problem = problem(
          ofStatementBy: challenge.certificate, about: challenge.key, at: challenge.issued)
        {
          add(path, .times, problem.severity, problem.message)
        } else {
          challenges[challenge.digest] = challenge
        }
      } catch {
        add(path, .times, .altered, "\(error)")
      }
    }
    return challenges
  }
}
