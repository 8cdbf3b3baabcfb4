import TimeAndText

/// Bare links: they fill their places in a chain, and say nothing of contents that are another's
/// business. As a file (`links/KEYTHUMBPRINT.links`): one compact JWS per line.
public enum LinkList {
  /// Returns the file's bytes: one JWS per line, in the given order.
  public static func bytes(_ seals: [String]) -> [UInt8] {
    Array(seals.map { $0 + "\n" }.joined().utf8)
  }

  /// Reads the seals of a file, and checks their signatures.
  /// - Throws: `EvidenceError.malformedSeal` for the first line that is no seal.
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

  /// Reads a file line by line, so that a damaged line does not take the others with it, and a file
  /// of nothing but line ends fills no memory.
  /// - Parameter body: called with each line's seal or error; returns true to read on.
  package static func read(_ bytes: [UInt8], _ body: (Result<Seal, EvidenceError>) -> Bool) {
    var start = bytes.startIndex
    var number = 1
    while start < bytes.endIndex {
      guard let end = bytes[start...].firstIndex(of: 0x0A) else {
        _ = body(.failure(.malformedSeal("line \(number) is incomplete")))
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
