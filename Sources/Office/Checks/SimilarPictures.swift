import Imagery
import Inspection

/// The pictures of the agency that look like those of a delivery.
package struct SimilarPictures {
  private static let identifierBytes = 36

  /// The number of similar pictures, and the five most alike: the size stays bounded for any number
  /// of them.
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

  /// The likeness of each photo's picture for comparisons; nil if the picture shows nothing or
  /// cannot be decoded.
  let probes: [Identifier: PictureProbe?]
  /// The photos to which a photo may well be similar: those of the series that it continues.
  private let expected: [Identifier: Set<Identifier>]
  private var found: [Identifier: Hits] = [:]
  /// The photos that were examined before, and whose likenesses are kept already.
  private var known: Set<Identifier> = []
  private var done: [(photo: Identifier, likeness: PictureLikeness)] = []

  /// Compares all pictures of a delivery with the agency's stored ones, in one pass.
  /// - Parameter expected: the photos that do not count for a photo, because it repeats their view.
  package init(
    _ probes: [Identifier: PictureProbe?], _ session: any AgencyTransaction,
    expected: [Identifier: Set<Identifier>] = [:]
  ) throws {
    (self.probes, self.expected) = (probes, expected)
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
            } else if expected[id]?.contains(other) != true {
              found[id, default: Hits()].add(other, at: distance)
            }
          }
        }
      }
    }
    self.found = found
    self.known = known
  }

  /// Returns the check of one of the delivery's photos. The photos that `check` was called for
  /// before are among the pictures compared.
  package mutating func check(_ id: Identifier) -> PhotoCheck {
    guard let probe = probes[id] ?? nil else { return PhotoCheck(.similar, .notCheckable) }
    var similar = found[id] ?? Hits()
    for earlier in done where expected[id]?.contains(earlier.photo) != true {
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

  /// Keeps the likenesses of the pictures that were checked, for later deliveries.
  package func keep(in session: any AgencyTransaction) throws {
    try session.checks.keep(likenesses: done.map { (photo: $0.photo, bytes: $0.likeness.bytes) })
  }
}
