import Crypto
import Evidence
import TimeAndText

/// The public area of a key in a TPM 2.0 (TPMT_PUBLIC, "TPM 2.0 Library, Part 2", 12.2.4): the public half, and the
/// properties that the TPM enforces.
public struct TPMKeyArea: Hashable, Sendable {
  /// The area as the TPM wrote it.
  public let bytes: [UInt8]
  /// The public half.
  public let publicKey: DevicePublicKey
  /// The properties (TPMA_OBJECT).
  private let attributes: UInt32

  /// The properties that a key must have so that no other machine can have it, and that only its sensitive half
  /// in the TPM opens it.
  private enum Property {
    /// fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, sign: the TPM made it itself, and does not give it away.
    static let needed: UInt32 = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 18
    /// adminWithPolicy, encryptedDuplication, restricted, decrypt.
    static let barred: UInt32 = 1 << 7 | 1 << 11 | 1 << 16 | 1 << 17
    /// noDA says only how wrong passwords are counted.
    static let free: UInt32 = 1 << 10
  }

  private enum Algorithm {
    static let none = 0x10
    static let sha256 = 0x0B
    static let ecdsa = 0x18
    static let ellipticCurve = 0x23
    /// The number of NIST P-256 among the TPM's curves.
    static let p256 = 3
  }

  /// The longest area that is read, bytes.
  static let longest = 512

  /// The template by which a TPM makes a signing key that stays in it.
  public static let template: [UInt8] =
    [UInt8](tpm: UInt16(Algorithm.ellipticCurve)) + [UInt8](tpm: UInt16(Algorithm.sha256))
    + [UInt8](tpm: Property.needed | Property.free) + [UInt8](tpm: UInt16(0))
    + [UInt8](tpm: UInt16(Algorithm.none)) + [UInt8](tpm: UInt16(Algorithm.none))
    + [UInt8](tpm: UInt16(Algorithm.p256)) + [UInt8](tpm: UInt16(Algorithm.none))
    + [UInt8](tpm: UInt32(0))

  /// Reads an area.
  /// - Throws: `AttestationProblem` if it is no P-256 key for signatures.
  public init(_ bytes: [UInt8]) throws(AttestationProblem) {
    guard bytes.count <= Self.longest, let read = Self.read(bytes) else {
      throw AttestationProblem("the TPM's description of the key is not that of a P-256 key")
    }
    self.bytes = bytes
    (publicKey, attributes) = read
  }

  private static func read(_ bytes: [UInt8]) -> (DevicePublicKey, UInt32)? {
    var reader = TPMReader(bytes)
    guard reader.number16() == Algorithm.ellipticCurve, reader.number16() == Algorithm.sha256,
      let attributes = reader.number32(),
      // A policy could let somebody open an object whose sensitive half is not loaded.
      reader.sized() == [],
      reader.number16() == Algorithm.none, let scheme = reader.number16(),
      scheme == Algorithm.none
        || scheme == Algorithm.ecdsa && reader.number16() == Algorithm.sha256,
      reader.number16() == Algorithm.p256, reader.number16() == Algorithm.none,
      let x = coordinate(reader.sized()), let y = coordinate(reader.sized()), reader.isAtEnd,
      let key = DevicePublicKey(point: [4] + x + y)
    else { return nil }
    return (key, attributes)
  }

  private static func coordinate(_ bytes: [UInt8]?) -> [UInt8]? {
    guard let bytes, bytes.count <= 32 else { return nil }
    return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
  }

  /// True if the TPM made the key itself, and gives it to nobody.
  public var staysInside: Bool {
    attributes & ~Property.free == Property.needed && attributes & Property.barred == 0
  }

  /// The name under which the TPM knows the object: it changes with each property.
  public var name: [UInt8] {
    [UInt8](tpm: UInt16(Algorithm.sha256)) + Array(SHA256.hash(data: bytes))
  }
}

/// The reason why a TPM's words are not believed.
public struct AttestationProblem: Error, Hashable, Sendable, Worded {
  /// The message for people.
  public let wording: Wording

  /// Creates a problem.
  public init(_ wording: Wording) { self.wording = wording }
}
