import TimeAndText

/// The phones that are paired with a field unit, and the code that pairs the next one.
///
/// The register holds digests only: whoever reads it can sign in nowhere. Times are those of the field
/// unit's clock; a phone's own clock decides nothing.
public struct PhoneRegister: Hashable, Codable, Sendable {
  /// The random bytes of a code: 128 bits.
  public static let codeBytes = 16
  /// The seconds for which a code holds.
  public static let codeSeconds = 600.0
  /// The number of wrong codes that end a code.
  public static let triesAtMost = 5
  /// The most phones of a field unit.
  public static let phonesAtMost = 8
  /// The most characters of a phone's name.
  public static let nameCharactersAtMost = 40
  /// The seconds after which it is written anew that a phone was heard.
  private static let hearingSeconds = 60.0

  /// A code that pairs one phone.
  public struct Code: Hashable, Codable, Sendable {
    /// The SHA-256 of the code's text, hexadecimal.
    public let digest: String
    /// The agency of the inspector as whom the phone will work.
    public let agency: String
    /// The login of that inspector.
    public let login: String
    /// The moment at which it was made, in ms since 1970.
    public let madeMilliseconds: Int64
    /// The distance between antenna and lens that its phone begins with; nil for none.
    public internal(set) var lens: LensOffset?
    /// The number of wrong codes since then.
    public internal(set) var wrongTries = 0
    /// The identity of the phone that it paired; nil if it paired none yet.
    public internal(set) var phone: String?

    /// The end of the code.
    public var expires: DeviceTime {
      DeviceTime(millisecondsSince1970: madeMilliseconds).advanced(
        bySeconds: PhoneRegister.codeSeconds)
    }

    /// Returns true if the code is for this person's phone.
    func isFor(_ person: Person) -> Bool { (agency, login) == (person.agency, person.login) }

    /// Returns true if the code can still pair a phone. A clock that was set back makes no code younger.
    public func holds(at now: DeviceTime) -> Bool {
      phone == nil && wrongTries < PhoneRegister.triesAtMost && !isTooOld(at: now)
    }

    func isTooOld(at now: DeviceTime) -> Bool {
      now.millisecondsSince1970 < madeMilliseconds || expires <= now
    }
  }

  /// The last code; nil before the first.
  public private(set) var code: Code?
  /// The phones, the oldest pairing first.
  public private(set) var phones: [PairedPhone] = []
  /// The wrong codes since the last code was made.
  public private(set) var wrongCodes = 0

  /// Creates a register without phones.
  public init() {}

  /// Takes a new code in the place of the last one.
  /// - Parameter digest: the SHA-256 of the code's text.
  /// - Parameter lens: the distance between antenna and lens; nil for none.
  public mutating func issue(
    digest: String, for person: Person, lens: LensOffset? = nil, at now: DeviceTime
  ) {
    code = Code(
      digest: digest, agency: person.agency, login: person.login,
      madeMilliseconds: now.millisecondsSince1970, lens: lens)
    wrongCodes = 0
  }

  /// Pairs a phone, if its code is the right one. A wrong code counts as a try, whether or not there is
  /// a code.
  /// - Parameters:
  ///   - digest: the SHA-256 of the code that was entered.
  ///   - person: the inspector who is signed in; a code of somebody else pairs no phone.
  ///   - phone: the identity of the new phone.
  ///   - tokenDigest: the SHA-256 of the token of its session.
  public mutating func redeem(
    digest: String, for person: Person, name: String, phone: Identifier, tokenDigest: String,
    at now: DeviceTime
  ) throws(PairingRefusal) -> PairedPhone {
    guard let code, code.isFor(person) else { throw .noCode }
    guard digest == code.digest else {
      wrongCodes += 1
      guard code.holds(at: now) else { throw .noCode }
      self.code?.wrongTries += 1
      let left = Self.triesAtMost - code.wrongTries - 1
      throw left > 0 ? .wrong(triesLeft: left) : .spent
    }
    if code.phone != nil { throw .used }
    if code.wrongTries >= Self.triesAtMost { throw .spent }
    if code.isTooOld(at: now) { throw .expired }
    guard (1...Self.nameCharactersAtMost).contains(name.count) else { throw .name }
    guard phones.count < Self.phonesAtMost else { throw .full }
    let paired = PairedPhone(
      id: phone.description, agency: code.agency, login: code.login, name: name,
      tokenDigest: tokenDigest, pairedMilliseconds: now.millisecondsSince1970,
      heardMilliseconds: now.millisecondsSince1970, lens: code.lens)
    phones.append(paired)
    self.code?.phone = paired.id
    return paired
  }

  /// The seconds for which the device's first page tells of wrong codes, from the making of the last code.
  private static let tellingSeconds = 2 * codeSeconds

  /// Returns the wrong codes that the device's first page tells of: those of the last twenty minutes.
  public func guesses(at now: DeviceTime) -> Int {
    guard let code else { return 0 }
    let since = Double(now.millisecondsSince1970 - code.madeMilliseconds) / 1000
    return (0..<Self.tellingSeconds).contains(since) ? wrongCodes : 0
  }

  /// Returns the phone with a session of a person; nil if there is none.
  public func phone(tokenDigest: String, of person: Person) -> PairedPhone? {
    phones.first { $0.tokenDigest == tokenDigest && $0.works(as: person) }
  }

  /// Notes that a phone was heard.
  /// - Returns: false if it was noted less than a minute ago: nothing has changed.
  public mutating func hear(_ id: String, at now: DeviceTime) -> Bool {
    guard let place = phones.firstIndex(where: { $0.id == id }) else { return false }
    let since = abs(now.millisecondsSince1970 - phones[place].heardMilliseconds)
    guard Double(since) / 1000 >= Self.hearingSeconds else { return false }
    phones[place].heardMilliseconds = now.millisecondsSince1970
    return true
  }

  /// Sets the distance between antenna and lens for a phone's photos from now on.
  /// - Returns: false if there is no such phone.
  public mutating func set(lens: LensOffset, of id: String) -> Bool {
    guard let place = phones.firstIndex(where: { $0.id == id }) else { return false }
    phones[place].lens = lens
    return true
  }

  /// Ends a phone's session.
  public mutating func end(_ id: String) { phones.removeAll { $0.id == id } }

  /// Ends what an inspector has begun: at sign-out.
  public mutating func endAll(of person: Person) {
    phones.removeAll { $0.works(as: person) }
    if code?.isFor(person) == true { code = nil }
  }
}
