import Evidence
import Inspection
import Judgement
import Positioning
import Store
import Sync
import TimeAndText

// Faults in the places of links are shown to officers with the photos that they concern.
extension Intake {
  /// Keeps all links, and finds the faults of their places.
  /// - Returns: the findings by the identifier of the record that they concern.
  func keepLinks() throws -> [Identifier: [Finding]] {
    var findings: [Identifier: [Finding]] = [:]
    let incoming =
      batch.links.map { ReceivedLink(bare: $0) } + batch.seals.map { ReceivedLink($0) }
    let places = incoming.map(\.seal.link.sequence)
    guard let first = places.min(), let last = places.max() else { return [:] }
    var byPlace = try session.chains.linkDigests(ofKey: batch.key, at: max(0, first - 1)...last)
    for link in incoming.sorted(by: { $0.seal.link.sequence < $1.seal.link.sequence }) {
      let data = link.seal.link
      let here = byPlace[data.sequence] ?? []
      let isKnown = here.contains(link.seal.digest)
      if !isKnown, let twin = link.seal.twinDigest, here.contains(twin) {
        throw OfficeRefusal(
          .batchMalformed,
          "the link in place \(data.sequence) is known already, and its second signature needed no key"
        )
      }
      // A link that came without its record before is judged again when the record comes: only then
      // is there a photo that can get the finding.
      if !isKnown || link.file != nil {
        var words: (Finding.Severity, Wording)?
        if here.contains(where: { $0 != link.seal.digest }) {
          words = (.doubtful, "the chain forks: place \(data.sequence) was taken already")
        } else if data.sequence > 1 {
          let before = byPlace[data.sequence - 1]
          if before == nil {
            words = (
              .incomplete, "place \(data.sequence - 1) of the chain, just before it, is missing"
            )
          } else if before?.contains(data.previous ?? "") == false {
            words = (
              .altered, "it does not continue the chain: it names a different link before it"
            )
          }
        }
        if let words {
          findings[data.id, default: []].append(
            Finding(
              subject: Finding.subject(ofKey: batch.key), check: .chain, severity: words.0,
              wording: words.1))
          if !isKnown {
            try session.log.add(log("chain-broken", data.id.description, words.1.description))
          }
        }
        byPlace[data.sequence, default: []].insert(link.seal.digest)
      }
      try session.chains.keep(link, inspector: person.login, at: time)
    }
    for (id, finding) in try followClock() { findings[id, default: []].append(finding) }
    return findings
  }

  /// Compares the clocks of the batch's records with the records before them in the chain, as the
  /// verifier does.
  private func followClock() throws -> [Identifier: Finding] {
    guard let first = batch.seals.map(\.seal.link.sequence).min() else { return [:] }
    let known = try session.chains.chainClock(ofKey: batch.key)
    var findings: [Identifier: Finding] = [:]
    var clock = ChainClock(sequence: 1, order: ClockOrder())
    func follow(_ id: Identifier, _ sequence: Int, _ words: Wording?) {
      clock.sequence = max(clock.sequence, sequence)
      findings[id] = words.map {
        Finding(
          subject: Finding.subject(ofKey: batch.key), check: .times, severity: .doubtful,
          wording: $0)
      }
    }
    if let known, known.sequence < first {
      clock = known
      for seal in batch.seals.sorted(by: { $0.seal.link.sequence < $1.seal.link.sequence }) {
        let link = seal.seal.link
        follow(link.id, link.sequence, clock.order.accept(seal.record))
      }
    } else {
      // Records came for places before those judged already: from there on the order of clocks is
      // another.
      var later: [Identifier] = []
      try session.chains.forEachDeviceTime(ofKey: batch.key) { id, sequence, time in
        if sequence > first { later.append(id) }
        follow(id, sequence, clock.order.accept(time))
      }
      for id in later { try judgeAnew(id, findings[id]) }
    }
    try session.chains.keep(clock, ofKey: batch.key)
    return findings
  }

  /// Takes away the verdict of a photo for which the order of clocks gives another finding than
  /// before, so that it is examined again.
  private func judgeAnew(_ id: Identifier, _ finding: Finding?) throws {
    guard try isKnown(photo: id) else { return }
    var received = try session.photos.photo(id)
    let before = received.findings.first { $0.isOfChain && $0.check == .times }
    guard before != finding else { return }
    received.findings.removeAll { !$0.isOfChain || $0.check == .times }
    if let finding { received.findings.append(finding) }
    received.verdict = nil
    try session.photos.keepChecks(of: received)
  }
}
