/// A problem as both web interfaces answer it: RFC 9457, with a stable code.
public struct Problem: Error, Hashable, Sendable {
  /// HTTP's status.
  public var status: Int
  /// A stable word for programs.
  public var code: String
  /// A few words that are the same for every problem of this code.
  public var title: String
  /// What happened, in one sentence for people; in English, whoever asks.
  public var detail: String
  /// The same in the language of whoever asked, for a page; nil for a sentence without values, which a
  /// page looks up itself.
  public var shown: String?
  /// Further members of the JSON object, such as the name of a field; none may be called like a
  /// member that every problem has.
  public var members: [String: String]
  /// Further members whose values are JSON already, such as a report; of the same rule.
  public var rawMembers: [String: [UInt8]] = [:]
  /// In how many seconds to come back (Retry-After); nil where nothing is said of it.
  public var retrySeconds: Int?
  /// The request that met it, as a URI (RFC 9457); nil as long as no server has answered with it.
  public var instance: String?

  /// A problem from its parts. Without a title the code's own words are it.
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

  /// The problem's type, a name and not an address: nothing is fetched from it.
  public var type: String { "urn:standpoint:problem:\(code)" }

  /// The object of `application/problem+json`.
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
  /// Itself, so that a handler may simply throw a problem.
  public var problem: Problem { self }
}
