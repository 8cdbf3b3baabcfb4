import Crypto
import CryptoExtras
import Foundation

/// The stored form of a password: scrypt (RFC 7914) with its parameters, as one line of text,
/// `scrypt$16384$8$5$salt$hash`, the last two base64url.
///
/// The parameters are OWASP's for scrypt: 16 MiB and about a third of a second for each guess.
///
/// `sha1+scrypt$…` is the scrypt of the password's SHA-1 in hexadecimal digits, which is all that
/// an older office's database knew of the password. Such a text is replaced by one over the
/// password itself as soon as the person has signed in with it.
public struct PasswordHash: Hashable, Sendable {
  /// The parameters of scrypt, which say how much work a guess takes.
  public struct Cost: Hashable, Sendable {
    /// N, the number of blocks that must be kept: a power of two.
    public let rounds: Int
    /// r, the size of a block in units of 128 bytes.
    public let blockSize: Int
    /// p, the number of times that the whole is done.
    public let parallelism: Int

    /// The cost of new hashes.
    public static let standard = Cost(rounds: 16_384, blockSize: 8, parallelism: 5)

    /// Creates a cost of any size; the bounds are checked when stored text is read.
    public init(rounds: Int, blockSize: Int, parallelism: Int) {
      self.rounds = rounds
      self.blockSize = blockSize
      self.parallelism = parallelism
    }

    /// True if the cost may be computed: N is a power of two from 1024 to 65,536, r and p are from
    /// 1 to 16, and N·r·p is at most four times the standard's. Other costs are refused: a stored
    /// text is data, and data must not decide how long this machine is busy.
    var isAcceptable: Bool {
      guard (1024...65_536).contains(rounds), rounds.nonzeroBitCount == 1,
        (1...16).contains(blockSize), (1...16).contains(parallelism)
      else { return false }
      return rounds * blockSize * parallelism <= 4 * 16_384 * 8 * 5
    }
  }

  /// The cost that the hash was made with.
  public let cost: Cost
  /// The random bytes that make the hashes of equal passwords differ.
  public let salt: [UInt8]
  /// The derived key, 32 bytes in stored text.
  public let key: [UInt8]
  /// True if the hash is over the password's SHA-1, and not over the password.
  public let isOverSHA1: Bool

  /// The stored text of an account whose password is not known: no password opens it.
  public static let none = "none"
  private static let markOfSHA1 = "sha1+"

  static let saltLength = 16
  static let keyLength = 32

  package init(cost: Cost, salt: [UInt8], key: [UInt8], isOverSHA1: Bool = false) {
    self.isOverSHA1 = isOverSHA1
    self.cost = cost
    self.salt = salt
    self.key = key
  }

  /// Reads stored text; nil if the text has another shape or its cost is out of bounds.
  public init?(_ text: String) {
    guard text.utf8.count <= 256 else { return nil }
    let isOverSHA1 = text.hasPrefix(Self.markOfSHA1)
    let parts = text.dropFirst(isOverSHA1 ? Self.markOfSHA1.count : 0).split(
      separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0] == "scrypt",
      let rounds = Self.number(parts[1]), let blockSize = Self.number(parts[2]),
      let parallelism = Self.number(parts[3]),
      let salt = Base64URL.decode(parts[4]), (8...64).contains(salt.count),
      let key = Base64URL.decode(parts[5]), key.count == Self.keyLength
    else { return nil }
    let cost = Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    guard cost.isAcceptable else { return nil }
    self.init(cost: cost, salt: salt, key: key, isOverSHA1: isOverSHA1)
  }

  /// The text that is stored.
  public var text: String {
    "\(isOverSHA1 ? Self.markOfSHA1 : "")scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$"
      + "\(Base64URL.encode(salt))$\(Base64URL.encode(key))"
  }

  // No sign, no leading zero: one hash has exactly one text.
  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.count <= 6, let number = Int(text), String(number) == text else { return nil }
    return number
  }

  /// Returns the bytes that are hashed, in canonical composition, since one keyboard sends é as one
  /// character and another as two (RFC 8265, OpaqueString).
  static func bytes(of password: String) -> [UInt8] {
    Array(password.precomposedStringWithCanonicalMapping.utf8)
  }

  /// Returns the bytes that are hashed if only the SHA-1 of a password was known. The SHA-1 is over
  /// the password as it is typed: the older office did not compose characters.
  static func bytes(ofSHA1Of password: String) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return Insecure.SHA1.hash(data: Array(password.utf8)).flatMap {
      [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
    }
  }

  /// Derives a key with scrypt, which keeps one thread busy for the whole time. `password` must not
  /// be empty.
  /// - Throws: an error of the cryptographic library if there is not enough memory.
  package static func derive(
    _ password: [UInt8], salt: [UInt8], cost: Cost, length: Int = keyLength
  ) throws
    -> [UInt8]
  {
    try KDF.Scrypt.deriveKey(
      from: password, salt: salt, outputByteCount: length, rounds: cost.rounds,
      blockSize: cost.blockSize, parallelism: cost.parallelism
    ).withUnsafeBytes(Array.init)
  }

  static func randomSalt() -> [UInt8] {
    SymmetricKey(size: SymmetricKeySize(bitCount: saltLength * 8)).withUnsafeBytes(Array.init)
  }

  /// Compares bytes in a time that does not tell where the difference is.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(left, right) { difference |= one ^ other }
    return difference == 0
  }
}
