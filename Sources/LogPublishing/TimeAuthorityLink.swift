import TimeAndText
import Timestamps

/// The way to a time authority.
package protocol TimeAuthorityLink: Sendable {
  /// Asks an authority.
  /// - Returns: the bytes of its answer.
  /// - Throws: `OutsideFailure`.
  func ask(_ query: [UInt8], at url: String) async throws -> [UInt8]

  /// Fetches a revocation list.
  /// - Throws: `OutsideFailure`.
  func revocationList(at url: String) async throws -> [UInt8]
}

/// Asks over HTTP (RFC 3161, 3.4).
package struct HTTPTimeAuthorityLink: TimeAuthorityLink {
  /// Creates the way.
  package init() {}

  package func ask(_ query: [UInt8], at url: String) async throws -> [UInt8] {
    let answer = try await fetch(
      SmallRequest(
        url: url, body: (query, TimestampQuery.mediaType),
        answerBytesAtMost: Timestamp.bytesAtMost))
    guard answer.type.lowercased().hasPrefix(Timestamp.mediaType) else {
      let name = answer.type.prefix(60).filter { $0.isASCII && !$0.isNewline }
      throw OutsideFailure(
        name.isEmpty
          ? "it answers without saying that this is a timestamp: is this a time authority's address?"
          : "it answers with \(word: name) and not with a timestamp: is this a time authority's address?"
      )
    }
    return answer.bytes
  }

  package func revocationList(at url: String) async throws -> [UInt8] {
    try await fetch(
      SmallRequest(url: url, body: nil, answerBytesAtMost: RevocationList.bytesAtMost)
    ).bytes
  }

  private func fetch(_ request: SmallRequest) async throws -> SmallRequest.Answer {
    let answer = try await request.send()
    guard answer.status == 200 else { throw OutsideFailure("it answers \(answer.status)") }
    return answer
  }
}
