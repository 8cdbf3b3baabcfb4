import Foundation

// What the field unit and the office say to each other when somebody signs in. JSON Schemas of all
// messages are in schemas/; a test holds each message against its schema.

/// A field unit asks for a session and a certificate.
public struct SignInRequest: Codable, Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.sign-in/1"

  /// Name and version of the message.
  public var schema = Self.schema
  /// Who.
  public var login: String
  /// The password; it travels here and is kept nowhere.
  public var password: String
  /// The proof that the device holds its key (compact JWS, `standpoint.enrolment/1`).
  public var enrolment: String
  /// Name and version of the field unit's program.
  public var software: String

  /// A request from its parts.
  public init(login: String, password: String, enrolment: String, software: String) {
    self.login = login
    self.password = password
    self.enrolment = enrolment
    self.software = software
  }
}

/// What a device has to sign when it renews its session: the office's own clock and chance are in it.
public struct ChallengeMessage: Codable, Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.challenge/1"

  /// Name and version of the message.
  public var schema = Self.schema
  /// The challenge, good for some minutes.
  public var challenge: String

  /// A challenge.
  public init(challenge: String) { self.challenge = challenge }
}

/// A field unit renews its session with its key, without a password.
public struct RenewalMessage: Codable, Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.renew/1"

  /// Name and version of the message.
  public var schema = Self.schema
  /// The proof that the device holds its key (compact JWS, `standpoint.renewal/1`).
  public var renewal: String
  /// The certificate that the office has given to this key, PEM: an office that was restored from an
  /// older backup knows the device again by it. Nil where the device has none.
  public var certificate: String?
  /// Name and version of the field unit's program.
  public var software: String

  /// A renewal from its parts.
  public init(renewal: String, certificate: String?, software: String) {
    self.renewal = renewal
    self.certificate = certificate
    self.software = software
  }
}

/// The office lets somebody in.
public struct SignInAnswer: Codable, Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.session/1"

  /// Name and version of the message.
  public var schema = Self.schema
  /// What the device shows from now on. Whoever has it acts as this inspector.
  public var token: String
  /// The agency's stable name.
  public var agency: String
  /// The inspector's login.
  public var login: String
  /// The inspector's full name; nil when the office has none.
  public var name: String?
  /// The device's certificate, PEM.
  public var certificate: String
  /// The certification authority's certificate, PEM.
  public var authority: String
  /// Name and version of the office's program.
  public var software: String

  /// An answer from its parts.
  public init(
    token: String, agency: String, login: String, name: String?, certificate: String,
    authority: String, software: String
  ) {
    self.token = token
    self.agency = agency
    self.login = login
    self.name = name
    self.certificate = certificate
    self.authority = authority
    self.software = software
  }
}

/// What the office says of itself to anybody: a field unit looks here before it sends a password.
public struct OfficeMessage: Codable, Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.office/1"
  /// The version of the protocol that this program speaks.
  public static let version = 1

  /// Name and version of the message.
  public var schema = Self.schema
  /// Name and version of the office's program.
  public var software: String
  /// The newest version of the protocol that it speaks.
  public var protocolVersion: Int
  /// SHA-256 of its certification authority's certificate.
  public var fingerprint: String

  /// A message from its parts.
  public init(software: String, protocolVersion: Int = Self.version, fingerprint: String) {
    self.software = software
    self.protocolVersion = protocolVersion
    self.fingerprint = fingerprint
  }
}
