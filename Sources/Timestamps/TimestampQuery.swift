// RFC 3161, 2.4.1: what a time authority is asked.

import Crypto
import SwiftASN1
import TimeAndText

/// A question to a time authority: to sign a digest together with its time.
public struct TimestampQuery: Hashable, Sendable {
  /// The media type of the question.
  public static let mediaType = "application/timestamp-query"

  /// SHA-256 of what is stamped.
  public let digest: [UInt8]
  /// A number that nobody can guess: an answer to an earlier question does not have it.
  public let nonce: [UInt8]

  /// Asks about bytes.
  /// - Parameter nonce: 8 random bytes.
  public init(about bytes: [UInt8], nonce: [UInt8]) {
    digest = Array(SHA256.hash(data: bytes))
    // An integer of ASN.1 is positive and as short as can be if it begins with a byte from 1 to 127.
    self.nonce = [nonce.first.map { $0 & 0x3F | 0x40 } ?? 0x40] + nonce.dropFirst()
  }

  /// The question's bytes (DER).
  public var der: [UInt8] {
    get throws {
      var serializer = DER.Serializer()
      try serializer.appendConstructedNode(identifier: .sequence) { query in
        try query.serialize(1)
        try query.appendConstructedNode(identifier: .sequence) { imprint in
          try imprint.appendConstructedNode(identifier: .sequence) { algorithm in
            try algorithm.serialize(ASN1ObjectIdentifier.digest256)
            try algorithm.serialize(ASN1Null())
          }
          try imprint.serialize(ASN1OctetString(contentBytes: digest[...]))
        }
        query.appendPrimitiveNode(identifier: .integer) { $0 += nonce }
        // The authority's certificates come with the answer.
        try query.serialize(true)
      }
      return serializer.serializedBytes
    }
  }

  /// Returns the stamp of an authority's answer to this question.
  /// - Throws: `TimestampProblem` if the answer is a refusal, no answer, or one to another question.
  public func stamp(inReply reply: [UInt8]) throws(TimestampProblem) -> Timestamp {
    let stamp = try Timestamp(reply: reply)
    guard stamp.digest == digest else {
      throw TimestampProblem("it is a stamp of something else")
    }
    guard stamp.nonce == nonce else {
      throw TimestampProblem(
        "it answers another question: the number that was sent along is not in it")
    }
    return stamp
  }
}
