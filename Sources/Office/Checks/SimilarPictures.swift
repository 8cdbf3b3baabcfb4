import Imagery
import Inspection

/// Pictures of the agency that look like those of a delivery.
package struct SimilarPictures {
  private static let identifierBytes = 36

  /// How many there are, and the most alike of them: a flood of them fills no memory.
  private struct Hits {
    private static let named = 5

    var count = 0
    var nearest: [(photo: Identifier, distance: Int)] = []

    mutating func add(_ photo: Identifier, at distance: Int) {
      count += 1
      if nearest.count == Self.named, let last = nearest.last, last.distance <= distance { return }
      nearest.append((photo: photo, distance: distance))
      nearest.sort { ($0.distance, $0.photo) < ($1.distance, $1.photo) }
      if nearest.count > Self.named { nearest.removeLast() }
    }
  }

  /// What each photo's picture looks like; nil for one that shows nothing or cannot be decoded.
  let probes: [Identifier: PictureProbe?]
  private var found: [Identifier: Hits] = [:]
  /// Those that were looked at before, and are kept already.
  private var known: Set<Identifier> = []
  private var done: [(photo: Identifier, likeness: PictureLikeness)] = []

  /// Compares all pictures of a delivery with those that were here before, in one walk.
  package init(_ probes: [Identifier: PictureProbe?], _ session: any AgencyTransaction) throws {
    self.probes = probes
    let asked = probes.compactMapValues(\.self)
    guard !asked.isEmpty else { return }
    var found: [Identifier: Hits] = [:]
    var known: Set<Identifier> = []
    try session.checks.forEachLikenessBlock { photos, likenesses in
      for (id, probe) in asked {
        LikenessBlock.forEachSimilar(to: probe, in: likenesses) { place, distance in
          let start = place * Self.identifierBytes
          guard start + Self.identifierBytes <= photos.count else { return }
          let text = String(
            decoding: UnsafeRawBufferPointer(
              rebasing: photos[start..<(start + Self.identifierBytes)]), as: UTF8.self)
          if let other = Identifier(text) {
            if other == id {
              known.insert(id)
            } else {
              found[id, default: Hits()].add(other, at: distance)
            }
          }
        }
      }
    }
    self.found = found
    self.known = known
  }

  /// What is said of one of the delivery's photos; those that were asked about before are among the
  /// pictures that it is compared with.
  package mutating func check(_ id: Identifier) -> PhotoCheck {
    guard let probe = probes[id] ?? nil else { return PhotoCheck(.similar, .notCheckable) }
    var similar = found[id] ?? Hits()
    for earlier in done {
      let distance = probe.distance(to: earlier.likeness)
      if distance <= PictureProbe.similarDistance { similar.add(earlier.photo, at: distance) }
    }
    if !known.contains(id) { done.append((photo: id, likeness: probe.likeness)) }
    return PhotoCheck(
      .similar, similar.count == 0 ? .agrees : .unclear,
      [
        .others: Double(similar.count),
        .distanceBits: similar.nearest.first.map { Double($0.distance) },
        .comparedBits: Double(PictureProbe.comparedBits),
      ], photos: similar.nearest.map(\.photo))
  }

  /// Keeps the pictures that were asked about, for deliveries after this one.
  package func keep(in session: any AgencyTransaction) throws {
    try session.checks.keep(likenesses: done.map { (photo: $0.photo, bytes: $0.likeness.bytes) })
  }
}
