import Evidence
import Imagery
import TimeAndText

extension Verifier {
  /// The most files without a seal that are read in search of a composite's originals.
  private static let originalsSearchedAtMost = 2_000

  /// A file without a seal that says that it is a composite.
  struct Composite {
    var path: String
    var file: [UInt8]
    var reading: CompositeReading
  }

  /// Finds the composites among the pictures that no seal names.
  mutating func readComposites() {
    for path in unsealedPictures {
      // A file that cannot be read is reported as unnamed.
      guard let file = try? files.bytes(of: path), let reading = CompositeReading(file) else {
        continue
      }
      if let certificate = reading.certificate { book.add([certificate], from: path) }
      composites.append(Composite(path: path, file: file, reading: reading))
    }
  }

  /// The pictures beside which there is no seal.
  private var unsealedPictures: [String] {
    let all = Set(files.paths)
    return files.paths.sorted().filter { path in
      Self.isPicture(path) && !all.contains(path + ".seal") && !Self.isStaged(path)
    }
  }

  /// Notes each composite, and makes it again from the photos that it names if they are here.
  mutating func checkComposites() {
    guard !composites.isEmpty else { return }
    let wanted = Set(
      composites.compactMap(\.reading.record).flatMap { [$0.below.digest, $0.above.digest] })
    let originals = originals(wanted)
    for composite in composites { check(composite, originals) }
  }

  private mutating func check(_ composite: Composite, _ originals: [String: Place]) {
    let path = composite.path
    for problem in composite.reading.problems {
      add(path, .composite, .altered, "a composite, not a photograph: \(problem)")
    }
    guard let record = composite.reading.record else { return }
    add(
      path, .composite, .note,
      "a composite, not a photograph: \(record.above.takenWords), photo \(record.above.id), laid over \(record.below.takenWords), photo \(record.below.id)"
    )
    guard let below = originals[record.below.digest], let above = originals[record.above.digest]
    else {
      add(
        path, .composite, .note,
        "its two photos are not both here: nothing says that it was made from them")
      return
    }
    do {
      let agreement = try composite.reading.agreement(
        of: composite.file, below: try below.bytes, above: try above.bytes)
      switch agreement {
      case .same:
        add(path, .composite, .note, "made again from both photos: the same picture")
      case .alike:
        add(
          path, .composite, .note,
          "made again from both photos: the same picture, but for another decoder's rounding")
      case .different:
        add(
          path, .composite, .altered,
          "made again from both photos, the picture is another one: it was changed")
      }
    } catch {
      add(path, .composite, .doubtful, "it cannot be made again from both photos: \(error)")
    }
  }

  /// A picture by which a composite may have been made.
  private struct Place {
    var shelf: any EvidenceFiles
    var path: String

    var bytes: [UInt8] { get throws { try shelf.bytes(of: path) } }
  }

  /// Returns the pictures with these digests.
  private func originals(_ wanted: Set<String>) -> [String: Place] {
    var found: [String: Place] = [:]
    for entry in seals {
      for subject in named(by: entry) where subject.part == .file {
        guard wanted.contains(subject.digest), let path = subject.path else { continue }
        found[subject.digest] = Place(shelf: files, path: path)
      }
    }
    var budget = Self.originalsSearchedAtMost
    for shelf in [files, further()].compactMap(\.self) {
      for path in shelf.paths where found.count < wanted.count && budget > 0 {
        guard Self.isPicture(path) else { continue }
        budget -= 1
        guard let file = try? shelf.bytes(of: path) else { continue }
        let digest = Digest.hexadecimal(file)
        if wanted.contains(digest), found[digest] == nil {
          found[digest] = Place(shelf: shelf, path: path)
        }
      }
    }
    return found
  }

  private static func isPicture(_ path: String) -> Bool {
    let lower = path.lowercased()
    return lower.hasSuffix(".jpg") || lower.hasSuffix(".jpeg")
  }
}
