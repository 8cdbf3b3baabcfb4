import Imagery
import Inspection

/// Pictures of the agency that look like those of a delivery.
struct SimilarPictures {
  private static let identifierBytes = 36
  /// So many are named; how many there are is said.
  private static let named = 5

  /// What each photo's picture looks like; nil for one that shows nothing or cannot be decoded.
  let probes: [Identifier: PictureProbe?]
  private var found: [Identifier: [(photo: Identifier, distance: Int)]] = [:]
  private var done: [(photo: Identifier, likeness: PictureLikeness)] = []

  /// Compares all pictures of a delivery with those that were here before, in one walk.
  init(_ probes: [Identifier: PictureProbe?], _ session: any AgencyTransaction) throws {
    self.probes = probes
    let asked = probes.compactMapValues(\.self)
    guard !asked.isEmpty else { return }
    var found: [Identifier: [(photo: Identifier, distance: Int)]] = [:]
    try session.forEachLikenessBlock { photos, likenesses in
      for (id, probe) in asked {
        LikenessBlock.forEachSimilar(to: probe, in: likenesses) { place, distance in
          let start = place * Self.identifierBytes
          guard start + Self.identifierBytes <= photos.count else { return }
          let text = String(
            decoding: UnsafeRawBufferPointer(
              rebasing: photos[start..<(start + Self.identifierBytes)]), as: UTF8.self)
          if let other = Identifier(text) {
            found[id, default: []].append((photo: other, distance: distance))
          }
        }
      }
    }
    self.found = found
  }

  /// What is said of one of the delivery's photos; those that were asked about before are among the
  /// pictures that it is compared with.
  mutating func check(_ id: Identifier) -> PhotoCheck {
    guard let probe = probes[id] ?? nil else { return PhotoCheck(.similar, .notCheckable) }
    var similar = found[id] ?? []
    for earlier in done {
      let distance = probe.distance(to: earlier.likeness)
      if distance <= PictureProbe.similarDistance {
        similar.append((photo: earlier.photo, distance: distance))
      }
    }
    similar.sort { ($0.distance, $0.photo) < ($1.distance, $1.photo) }
    done.append((photo: id, likeness: probe.likeness))
    return PhotoCheck(
      .similar, similar.isEmpty ? .agrees : .unclear,
      [
        .others: Double(similar.count), .distanceBits: similar.first.map { Double($0.distance) },
        .comparedBits: Double(PictureProbe.comparedBits),
      ], photos: similar.prefix(Self.named).map(\.photo))
  }

  /// Keeps the pictures that were asked about, for deliveries after this one.
  func keep(in session: any AgencyTransaction) throws {
    try session.keep(likenesses: done.map { (photo: $0.photo, bytes: $0.likeness.bytes) })
  }
}
