import Crypto
import Foundation

// Where Crypto is imported, arrays have two ways to be equal.
extension PhotoCopyTests {
  static func digest(_ text: String) -> String {
    SHA256.hash(data: Data(text.utf8))
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
