import Foundation
import Positioning

/// Reads and writes messages. Bytes from the network are hostile: what does not fit is said in words,
/// and nothing of it is used.
public enum WireJSON {
  /// A message's bytes, members in the order of their names.
  public static func bytes(_ message: some Encodable) throws(SyncError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(message))
    } catch {
      throw .malformedMessage("it cannot be written as JSON")
    }
  }

  /// A message from its bytes.
  /// - Throws: `SyncError.malformedMessage` with the member that does not fit.
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
      throw .malformedMessage("its member \"\(path)\" is of another type")
    } catch {
      throw .malformedMessage("it is no JSON of this kind")
    }
  }
}

/// What can be wrong with what travels.
public enum SyncError: Error, Hashable, Sendable, Worded {
  /// A message that is not what it must be.
  case malformedMessage(Wording)
  /// A message of a version that this program does not speak.
  case unknownSchema(found: String, expected: String)
  /// A policy that is not this agency's, or not by whom it must be.
  case policyMismatch(Wording)
  /// A receipt that is not for what was sent, or not by whom it must be.
  case receiptMismatch(Wording)

  /// A stable word for programs.
  public var code: String {
    switch self {
    case .malformedMessage: "message-malformed"
    case .unknownSchema: "message-version"
    case .policyMismatch: "policy-mismatch"
    case .receiptMismatch: "receipt-mismatch"
    }
  }

  /// What happened and what to do next, for people.
  public var wording: Wording {
    switch self {
    case .malformedMessage(let words): "the message is not what it must be: \(words)"
    case .unknownSchema(let found, let expected):
      "the message is a \(found), and this program speaks \(expected): bring both programs to the"
        + " same version"
    case .policyMismatch(let words):
      "the agency's policy does not hold (\(words)): the one before stays in force"
    case .receiptMismatch(let words):
      "the receipt does not match what was sent (\(words)): everything stays queued"
    }
  }
}
