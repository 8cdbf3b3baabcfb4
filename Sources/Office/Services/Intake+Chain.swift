import Evidence
import Inspection
import Positioning
import Store
import Sync

// What is wrong with the places of links is shown to officers beside the photos that it concerns.
extension Intake {
  /// Keeps all links, and finds what is wrong with their places: by the identifier of the record that
  /// it concerns.
  func keepLinks() throws -> [Identifier: Finding] {
    var findings: [Identifier: Finding] = [:]
    let incoming =
      batch.links.map { ReceivedLink(bare: $0) } + batch.seals.map { ReceivedLink($0) }
    let places = incoming.map(\.seal.link.sequence)
    guard let first = places.min(), let last = places.max() else { return [:] }
    var byPlace = try session.linkDigests(ofKey: batch.key, at: max(0, first - 1)...last)
    for link in incoming.sorted(by: { $0.seal.link.sequence < $1.seal.link.sequence }) {
      let data = link.seal.link
      let here = byPlace[data.sequence] ?? []
      let isKnown = here.contains(link.seal.digest)
      // One that came bare before is judged again when its record comes: then there is a photo to say
      // it of.
      if !isKnown || link.file != nil {
        var words: (Finding.Severity, Wording)?
        if here.contains(where: { $0 != link.seal.digest }) {
          words = (.doubtful, "the chain forks: place \(data.sequence) was taken already")
        } else if data.sequence > 1 {
          let before = byPlace[data.sequence - 1]
          if before == nil {
            words = (.incomplete, "place \(data.sequence - 1) of the chain is missing before it")
          } else if before?.contains(data.previous ?? "") == false {
            words = (.altered, "it does not continue the chain: the link before it is another")
          }
        }
        if let words {
          findings[data.id] = Finding(
            subject: "key \(batch.key)", check: .chain, severity: words.0, wording: words.1)
          if !isKnown {
            try session.log(log("chain-broken", data.id.description, words.1.description))
          }
        }
        byPlace[data.sequence, default: []].insert(link.seal.digest)
      }
      try session.keep(link, inspector: person.login, at: time)
    }
    return findings
  }
}
