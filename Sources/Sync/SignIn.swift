import Foundation

// The messages between field unit and office when an inspector signs in. JSON Schemas of all
// messages are in schemas/; a test checks each message against its schema.

/// A field unit's request for a session and a certificate.
public struct SignInRequest: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.sign-in/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The login of the inspector.
  public var login: String
  /// The password. It travels in this message and is kept nowhere.
  public var password: String
  /// The proof that the device holds its key (compact JWS, `standpoint.enrolment/1`).
  public var enrolment: String
  /// The name and version of the field unit's program.
  public var software: String

  /// Creates a request.
  public init(login: String, password: String, enrolment: String, software: String) {
    self.login = login
    self.password = password
    self.enrolment = enrolment
    self.software = software
  }
}

/// The text that a device has to sign to renew its session. It contains the time of the office's
/// clock and random numbers.
public struct ChallengeMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.challenge/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The challenge, valid for some minutes.
  public var challenge: String

  /// Creates a challenge.
  public init(challenge: String) { self.challenge = challenge }
}

/// A field unit's request to renew its session with its key, without a password.
public struct RenewalMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.renew/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The proof that the device holds its key (compact JWS, `standpoint.renewal/1`).
  public var renewal: String
  /// The certificate that the office gave to this key, PEM. An office that was restored from an
  /// older backup recognises the device by it. Nil if the device has none.
  public var certificate: String?
  /// The name and version of the field unit's program.
  public var software: String

  /// Creates a renewal.
  public init(renewal: String, certificate: String?, software: String) {
    self.renewal = renewal
    self.certificate = certificate
    self.software = software
  }
}

/// The office's answer to an inspector who has signed in.
public struct SignInAnswer: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.session/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The token that the device shows from now on. Any program that has the token acts as this
  /// inspector.
  public var token: String
  /// The agency's stable name.
  public var agency: String
  /// The inspector's login.
  public var login: String
  /// The inspector's full name; nil if the office knows none.
  public var name: String?
  /// The device's certificate, PEM.
  public var certificate: String
  /// The certification authority's certificate, PEM.
  public var authority: String
  /// The certificates by which earlier authorities of the office vouch for this one, PEM; nil if there were none.
  public var bridges: String?
  /// The name and version of the office's program.
  public var software: String

  /// Creates an answer.
  public init(
    token: String, agency: String, login: String, name: String?, certificate: String,
    authority: String, bridges: String? = nil, software: String
  ) {
    self.token = token
    self.agency = agency
    self.login = login
    self.name = name
    self.certificate = certificate
    self.authority = authority
    self.bridges = bridges
    self.software = software
  }
}

/// The office's public description of itself. A field unit reads it before it sends a password.
public struct OfficeMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.office/1"
  /// The version of the protocol that this program uses.
  public static let version = 1

  /// The name and version of this message.
  public var schema = Self.schema
  /// The name and version of the office's program.
  public var software: String
  /// The newest version of the protocol that the office knows.
  public var protocolVersion: Int
  /// The SHA-256 of the certificate of the office's authority.
  public var fingerprint: String
  /// The certificates of all its authorities whose word counts, and those by which they vouch for each other, PEM; nil
  /// if it has had no other one.
  public var authorities: String?

  /// Creates a message.
  public init(
    software: String, protocolVersion: Int = Self.version, fingerprint: String,
    authorities: String? = nil
  ) {
    self.authorities = authorities
    self.software = software
    self.protocolVersion = protocolVersion
    self.fingerprint = fingerprint
  }
}
