/// A problem as both web interfaces answer it: RFC 9457, with a stable code.
public struct Problem: Error, Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// A stable word for programs, such as `not-found`.
  public var code: String
  /// A few words, always the same for this code.
  public var title: String
  /// The description of the situation, in one sentence for people; always in English.
  public var detail: String
  /// The description in the language of the request, for a page; nil for a sentence without values,
  /// which the page translates itself.
  public var shown: String?
  /// Further members of the JSON object, such as the name of a field. A member under a name that
  /// every problem has is left out.
  public var members: [String: String]
  /// Further members whose values are JSON already, such as a report. A member under a name that
  /// every problem or `members` has is left out.
  public var rawMembers: [String: [UInt8]] = [:]
  /// The seconds after which the client should come back (Retry-After); nil if none are known.
  public var retrySeconds: Int?
  /// The URI of the request that met the problem (RFC 9457); nil until a server answers with it.
  public var instance: String?

  /// Creates a problem. Without a title, the words of the code are the title.
  public init(
    status: Int, code: String, title: String? = nil, detail: String, shown: String? = nil,
    members: [String: String] = [:]
  ) {
    self.status = status
    self.code = code
    self.title = title ?? Self.words(of: code)
    self.detail = detail
    self.shown = shown
    self.members = members
  }

  /// The problem's type. The URN is a name and not an address: nothing is fetched from it.
  public var type: String { "urn:standpoint:problem:\(code)" }

  /// The object of `application/problem+json`, in UTF-8.
  public var json: [UInt8] {
    var text = "{\"type\":\(JSONText.quoted(type)),\"title\":\(JSONText.quoted(title))"
    text += ",\"status\":\(status),\"detail\":\(JSONText.quoted(detail))"
    text += ",\"code\":\(JSONText.quoted(code))"
    if let instance { text += ",\"instance\":\(JSONText.quoted(instance))" }
    for (name, value) in members.sorted(by: { $0.key < $1.key })
    where !Self.ownMembers.contains(name) {
      text += ",\(JSONText.quoted(name)):\(JSONText.quoted(value))"
    }
    for (name, value) in rawMembers.sorted(by: { $0.key < $1.key })
    where !Self.ownMembers.contains(name) && members[name] == nil {
      text += ",\(JSONText.quoted(name)):\(String(decoding: value, as: UTF8.self))"
    }
    return Array((text + "}").utf8)
  }

  private static let ownMembers: Set = ["type", "title", "status", "detail", "code", "instance"]

  private static func words(of code: String) -> String {
    let words = code.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension Problem: ProblemConvertible {
  /// The problem itself, so that a handler can simply throw it.
  public var problem: Problem { self }
}
