// The messages with which a field unit signs in by an invitation: first it asks whose the code is,
// because its key's proof names the login; then it signs in.

/// A field unit's question about a one-time code. Asking does not use the code up.
public struct InvitationQuestion: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.invitation-question/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The one-time code, as it was read or typed.
  public var code: String

  /// Creates a question.
  public init(code: String) { self.code = code }
}

/// The office's answer about a one-time code.
public struct InvitationAnswer: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.invitation/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The agency's stable name.
  public var agency: String
  /// The agency's title on screen.
  public var title: String
  /// The login of the inspector whom the code signs in.
  public var login: String
  /// The inspector's full name; nil if the office knows none.
  public var name: String?
  /// The time from which the code can no longer be used, RFC 3339.
  public var expires: String

  /// Creates an answer.
  public init(agency: String, title: String, login: String, name: String?, expires: String) {
    self.agency = agency
    self.title = title
    self.login = login
    self.name = name
    self.expires = expires
  }
}

/// A field unit's request for a session and a certificate, by a one-time code in the place of a
/// password.
public struct InvitedSignInRequest: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.invited-sign-in/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The one-time code.
  public var code: String
  /// The proof that the device holds its key (compact JWS, `standpoint.enrolment/1`).
  public var enrolment: String
  /// The name and version of the field unit's program.
  public var software: String

  /// Creates a request.
  public init(code: String, enrolment: String, software: String) {
    self.code = code
    self.enrolment = enrolment
    self.software = software
  }
}
