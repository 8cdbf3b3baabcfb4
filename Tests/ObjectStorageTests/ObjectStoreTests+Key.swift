import Crypto

@testable import ObjectStorage

// Where Crypto is imported, arrays have two ways to be equal.
extension ObjectStoreTests {
  static func key(of bytes: [UInt8]) -> String {
    ObjectKey.digest(ObjectText.hexadecimal(SHA256.hash(data: bytes)))
  }
}
