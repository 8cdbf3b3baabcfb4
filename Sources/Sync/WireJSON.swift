import Foundation
import TimeAndText

/// Reads and writes messages. Bytes from the network are hostile: a message that does not fit is
/// refused with words, and no part of it is used.
public enum WireJSON {
  /// Writes a message as JSON, with its members sorted by name.
  /// - Throws: `SyncError.malformedMessage`.
  public static func bytes(_ message: some Encodable) throws(SyncError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(message))
    } catch {
      throw .malformedMessage("it cannot be written as JSON")
    }
  }

  /// Reads a message from its bytes.
  /// - Throws: `SyncError.malformedMessage` with the faulty member.
  public static func message<Message: Decodable>(
    _ type: Message.Type, _ bytes: [UInt8]
  ) throws(SyncError) -> Message {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch DecodingError.keyNotFound(let key, _) {
      throw .malformedMessage("its member \"\(key.stringValue)\" is missing")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw .malformedMessage("its member \"\(path)\" has the wrong type")
    } catch {
      throw .malformedMessage("it is not JSON of this kind")
    }
  }
}

/// A fault in a message that travels between field unit and office.
public enum SyncError: Error, Hashable, Sendable, Worded {
  /// The message does not have the right form.
  case malformedMessage(Wording)
  /// The message has a version that this program does not know.
  case unknownSchema(found: String, expected: String)
  /// The policy is another agency's, or signed by another office.
  case policyMismatch(Wording)
  /// The receipt is not for the records that were sent, or signed by another office.
  case receiptMismatch(Wording)

  /// The stable code, for programs.
  public var code: String {
    switch self {
    case .malformedMessage: "message-malformed"
    case .unknownSchema: "message-version"
    case .policyMismatch: "policy-mismatch"
    case .receiptMismatch: "receipt-mismatch"
    }
  }

  /// The message for people: what happened, and what to do next.
  public var wording: Wording {
    switch self {
    case .malformedMessage(let words): "the message is not valid: \(words)"
    case .unknownSchema(let found, let expected):
      "the message is a \(found), but this program speaks \(expected): update both programs to"
        + " the same version"
    case .policyMismatch(let words):
      "the agency's policy is not valid (\(words)): the previous one stays in force"
    case .receiptMismatch(let words):
      "the receipt does not match what was sent (\(words)): everything stays queued"
    }
  }
}
