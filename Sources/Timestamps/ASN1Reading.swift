import SwiftASN1
import TimeAndText

// Reading of ASN.1 that its library has no types for: the library checks each node's form.

/// Bytes of a time authority that are not what they should be, or that say something else than was asked.
public struct TimestampProblem: Error, Hashable, Sendable, Worded {
  /// The message for people.
  public let wording: Wording

  init(_ wording: Wording) { self.wording = wording }
}

/// The members of a sequence or a set, of which some may be absent.
struct ASN1Members {
  private var rest: ArraySlice<ASN1Node>

  init(_ node: ASN1Node) throws {
    guard case .constructed(let nodes) = node.content else {
      throw TimestampProblem("a part of it has no members where ASN.1 wants some")
    }
    rest = Array(nodes)[...]
  }

  mutating func next() throws -> ASN1Node {
    guard let node = rest.popFirst() else {
      throw TimestampProblem("a part of it is missing")
    }
    return node
  }

  mutating func read<Value: DERParseable>(_ type: Value.Type) throws -> Value {
    try Value(derEncoded: try next())
  }

  /// Takes the next member if it has this identifier.
  mutating func optional(_ identifier: ASN1Identifier) -> ASN1Node? {
    rest.first?.identifier == identifier ? rest.popFirst() : nil
  }

  /// Takes the next member if it has this context-specific number.
  mutating func optional(number: UInt) -> ASN1Node? {
    optional(ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific))
  }

  /// All members that are left.
  var all: [ASN1Node] { Array(rest) }
}

extension ASN1Node {
  /// The members of a sequence or a set.
  var members: ASN1Members { get throws { try ASN1Members(self) } }

  /// The bytes of a node without members.
  var primitive: [UInt8] {
    get throws {
      guard case .primitive(let bytes) = content else {
        throw TimestampProblem("a part of it has members where ASN.1 wants none")
      }
      return Array(bytes)
    }
  }

  /// The bytes as they would be with another identifier, which has one byte as this one has.
  func encoded(as identifier: UInt8) -> [UInt8] { [identifier] + encodedBytes.dropFirst() }
}

extension DeviceTime {
  /// Returns the time of an ASN.1 text; nil if there is no such day.
  init?(_ time: GeneralizedTime) {
    let thousandths = Int((time.fractionalSeconds * 1000).rounded(.down))
    self.init(
      rfc3339: Self.padded(time.year, 4) + "-" + Self.padded(time.month, 2) + "-"
        + Self.padded(time.day, 2) + "T" + Self.padded(time.hours, 2) + ":"
        + Self.padded(time.minutes, 2) + ":" + Self.padded(time.seconds, 2) + "."
        + Self.padded(thousandths, 3) + "Z")
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension ASN1ObjectIdentifier {
  static let timeStampToken: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 16, 1, 4]
  static let signedContent: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
  static let contentTypeAttribute: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 3]
  static let messageDigestAttribute: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 4]
  static let signingCertificateAttribute: ASN1ObjectIdentifier = [
    1, 2, 840, 113549, 1, 9, 16, 2, 12,
  ]
  static let signingCertificate2Attribute: ASN1ObjectIdentifier = [
    1, 2, 840, 113549, 1, 9, 16, 2, 47,
  ]
  static let digest1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]
  static let digest256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
  static let digest384: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 2]
  static let digest512: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 3]
  static let distributionPoints: ASN1ObjectIdentifier = [2, 5, 29, 31]
}
