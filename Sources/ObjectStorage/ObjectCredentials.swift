import Foundation

/// The key with which requests to an object store are signed. It is shown nowhere.
public struct ObjectCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  /// The name of the key.
  let identifier: String
  /// The key.
  let secret: String
  /// The word that goes with a key that was lent for some hours; nil for others.
  let session: String?

  init(identifier: String, secret: String, session: String? = nil) {
    (self.identifier, self.secret, self.session) = (identifier, secret, session)
  }

  /// Says nothing of the key.
  public var description: String { "the key of an object store" }
  /// Says nothing of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// A file with credentials.
  public struct File: Sendable {
    let bytes: [UInt8]
    let isPrivate: Bool

    /// Creates a file.
    /// - Parameters:
    ///   - bytes: its contents.
    ///   - isPrivate: true if only its owner may read it.
    public init(bytes: [UInt8], isPrivate: Bool) {
      (self.bytes, self.isPrivate) = (bytes, isPrivate)
    }
  }

  /// Returns credentials that a header can carry.
  private static func checked(
    _ identifier: String, _ secret: String, _ session: String?
  ) throws -> ObjectCredentials {
    let words = [identifier, secret] + (session.map { [$0] } ?? [])
    guard words.allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) else {
      throw ObjectFailure(
        .noCredentials,
        "the key for the object store has a blank, a line break or a letter that no key has")
    }
    return ObjectCredentials(identifier: identifier, secret: secret, session: session)
  }

  /// Finds the credentials: in `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; else
  /// in the file that `AWS_SHARED_CREDENTIALS_FILE` names, or `.aws/credentials` in the home folder,
  /// under `AWS_PROFILE` or `default`.
  /// - Parameter read: returns a file; nil if there is none.
  /// - Throws: `ObjectFailure` (noCredentials); what `read` throws.
  public static func found(
    environment: [String: String], read: (_ path: String) throws -> File?
  ) throws -> ObjectCredentials {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    switch (value("AWS_ACCESS_KEY_ID"), value("AWS_SECRET_ACCESS_KEY")) {
    case (let identifier?, let secret?):
      return try checked(identifier, secret, value("AWS_SESSION_TOKEN"))
    case (nil, nil): break
    default:
      throw ObjectFailure(
        .noCredentials, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: set both")
    }
    let path =
      value("AWS_SHARED_CREDENTIALS_FILE") ?? value("HOME").map { $0 + "/.aws/credentials" }
    guard let path, let file = try read(path) else {
      throw ObjectFailure(
        .noCredentials,
        "there are no credentials for the object store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
          + (path.map { ", or write them into \($0)" } ?? ""))
    }
    guard file.isPrivate else {
      throw ObjectFailure(.noCredentials, "others may read \(path): chmod 600 \(path)")
    }
    let profile = value("AWS_PROFILE") ?? "default"
    let members = section(profile, of: String(decoding: file.bytes, as: UTF8.self))
    guard let identifier = members["aws_access_key_id"],
      let secret = members["aws_secret_access_key"]
    else {
      throw ObjectFailure(
        .noCredentials,
        "\(path) has no aws_access_key_id and aws_secret_access_key under [\(profile)]")
    }
    return try checked(identifier, secret, members["aws_session_token"])
  }

  private static func section(_ name: String, of text: String) -> [String: String] {
    var isIn = false
    var members: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("[") {
        isIn = line.dropFirst().prefix { $0 != "]" }.trimmingCharacters(in: .whitespaces) == name
      } else if isIn, !line.hasPrefix("#"), !line.hasPrefix(";"),
        let equals = line.firstIndex(of: "=")
      {
        let member = line[..<equals].trimmingCharacters(in: .whitespaces)
        members[member] = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return members.filter { !$0.value.isEmpty }
  }
}
