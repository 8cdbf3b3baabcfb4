import Foundation

/// Texts as parts of an address.
public enum QueryText {
  /// The characters that need no escape anywhere in an address (RFC 3986, 2.3).
  private static let unreserved = CharacterSet.alphanumerics.union(
    CharacterSet(charactersIn: "-._~"))

  /// Returns a text escaped as a part of an address.
  public static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
