import TimeAndText

/// A phone that works as one inspector through the pages of a field unit.
public struct PairedPhone: Hashable, Codable, Sendable, Identifiable {
  /// The phone's identity on this device, a UUID.
  public let id: String
  /// The agency of its inspector.
  public let agency: String
  /// The login of its inspector.
  public let login: String
  /// The name that its owner gave it.
  public let name: String
  /// The SHA-256 of its session's token, hexadecimal.
  public let tokenDigest: String
  /// The moment of pairing, in ms since 1970.
  public let pairedMilliseconds: Int64
  /// The moment of its last request, in ms since 1970; written at most once a minute.
  public internal(set) var heardMilliseconds: Int64
  /// The distance between antenna and lens; nil for none.
  public internal(set) var lens: LensOffset?

  /// The moment of pairing.
  public var paired: DeviceTime { DeviceTime(millisecondsSince1970: pairedMilliseconds) }
  /// The moment of its last request, to the minute.
  public var lastHeard: DeviceTime { DeviceTime(millisecondsSince1970: heardMilliseconds) }

  /// Returns true if the phone works as this person.
  public func works(as person: Person) -> Bool {
    (agency, login) == (person.agency, person.login)
  }
}

/// A reason why a code pairs no phone.
public enum PairingRefusal: Error, Hashable, Sendable {
  /// No code was made, or another program has removed it.
  case noCode
  /// The code was used: it pairs one phone.
  case used
  /// The code is older than it may be.
  case expired
  /// Too many wrong codes were entered.
  case spent
  /// It is another code.
  case wrong(triesLeft: Int)
  /// There are as many phones as there may be.
  case full
  /// The phone has no name, or one that is too long.
  case name

  /// The reason for people, with what to do.
  public var wording: Wording {
    switch self {
    case .noCode: "there is no code to pair a phone with: make one on the field unit"
    case .used: "this code has paired a phone already: make a new one on the field unit"
    case .expired: "this code is too old: make a new one on the field unit"
    case .spent: "too many wrong codes were entered: make a new one on the field unit"
    case .wrong(let left) where left == 1: "this is not the code; you can try once more"
    case .wrong(let left): "this is not the code; you can try \(left) times more"
    case .full:
      "\(PhoneRegister.phonesAtMost) phones are paired, and there can be no more: end one on the field unit"
    case .name: "give the phone a name of 1 to \(PhoneRegister.nameCharactersAtMost) characters"
    }
  }
}
