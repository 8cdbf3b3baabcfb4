import Positioning

/// Links without their records: places in a chain whose contents are somebody's own business. As a
/// file (`links/KEYTHUMBPRINT.links`): one compact JWS a line.
public enum LinkList {
  /// The file's bytes: one JWS a line, in the order given.
  public static func bytes(_ seals: [String]) -> [UInt8] {
    Array(seals.map { $0 + "\n" }.joined().utf8)
  }

  /// The seals of a file, their signatures checked.
  /// - Throws: `EvidenceError.malformedSeal` for the first line that is none.
  public static func seals(_ bytes: [UInt8]) throws(EvidenceError) -> [Seal] {
    var seals: [Seal] = []
    var problem: EvidenceError?
    read(bytes) { line in
      switch line {
      case .success(let seal): seals.append(seal)
      case .failure(let error): problem = error
      }
      return problem == nil
    }
    if let problem { throw problem }
    return seals
  }

  /// Line by line, so that one that is damaged does not take the others with it, and nothing is kept
  /// of a file that is all line ends.
  /// - Parameter body: says whether to read on.
  static func read(_ bytes: [UInt8], _ body: (Result<Seal, EvidenceError>) -> Bool) {
    var start = bytes.startIndex
    var number = 1
    while start < bytes.endIndex {
      guard let end = bytes[start...].firstIndex(of: 0x0A) else {
        _ = body(.failure(.malformedSeal("line \(number) is cut")))
        return
      }
      let line = bytes[start..<end]
      let result = Result { () throws(EvidenceError) in
        do throws(EvidenceError) {
          return try Seal(jws: String(decoding: line, as: UTF8.self))
        } catch {
          throw .malformedSeal("line \(number): \(error)")
        }
      }
      guard body(result) else { return }
      start = end + 1
      number += 1
    }
  }
}
