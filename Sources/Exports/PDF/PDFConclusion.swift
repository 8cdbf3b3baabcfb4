import Evidence
import Inspection
import PDFWriting

/// The answer to a question about photos: yes, no, or nobody has examined it.
enum Standing: Hashable {
  case good
  case bad
  case unknown

  /// Combines the answers for several photos: one bad answer is bad for all.
  init(_ all: some Sequence<Standing>) {
    let kinds = Set(all)
    self = kinds.contains(.bad) ? .bad : kinds == [.good] ? .good : .unknown
  }
}

extension Dossier.PhotoPart {
  /// The answer to the question whether the photo's evidence holds.
  var isAuthentic: Standing {
    verdict.map { $0 == .intact ? .good : .bad } ?? .unknown
  }

  /// The answer to the question whether a decision may rest on the photo.
  var isSuitable: Standing {
    if !reasons.isEmpty || checks.contains(where: { $0.isGood == false }) { return .bad }
    return suitability == nil && checks.isEmpty ? .unknown : .good
  }

  /// The reasons against the photo. An imported picture and a simulated receiver are seen without
  /// any check; nobody judges a photo that is still to be examined.
  private var reasons: [Suitability.Reason] {
    if let suitability { return suitability.reasons }
    return verdict == nil && checks.isEmpty ? [] : Suitability(photo, checks: []).reasons
  }

  /// The answer to both questions together.
  var standing: Standing { Standing([isAuthentic, isSuitable]) }

  /// Returns what speaks against the photo, in words: first the checks that failed, then the
  /// verifier's findings and the reasons that no check has told already.
  func objections(_ words: DocumentWords) -> [String] {
    let failed = checks.filter { $0.isGood == false }
    var found = failed.map { "\($0.name): \($0.value)" }
    for finding in findings where finding.severity != .note {
      let told = words.finding(finding, on: photo)
      if !found.contains(where: { $0.contains(words.t(finding.wording)) }) { found.append(told) }
    }
    for reason in reasons where reason == .imported || reason == .simulated {
      found.append(words.t(reason.wording))
    }
    if found.isEmpty, let verdict, verdict != .intact, let meaning = words.meaning(verdict) {
      found.append(meaning)
    }
    return found
  }
}

/// The conclusion of a dossier: whether its photos are authentic and suitable.
struct PDFConclusion {
  let isAuthentic: Standing
  let isSuitable: Standing
  /// The number of photos with intact evidence.
  let intact: Int
  /// The number of examined photos without a contradiction.
  let suitable: Int
  let photos: Int

  init(of parts: [Dossier.PhotoPart]) {
    isAuthentic = Standing(parts.map(\.isAuthentic))
    isSuitable = Standing(parts.map(\.isSuitable))
    intact = parts.count { $0.isAuthentic == .good }
    suitable = parts.count { $0.isSuitable == .good }
    photos = parts.count
  }
}
