/// The reasons why a demonstration cannot be shown.
package enum DemoError: Error, CustomStringConvertible {
  /// The folder holds something that no demonstration made.
  case notOurs(path: String)
  /// The log holds no fix.
  case logWithoutFix(path: String)
  /// A step of the story did not go as it must.
  case stepFailed(String)

  /// The reason in words.
  package var description: String {
    switch self {
    case .notOurs(let path):
      "\(path) holds files that are not from a demonstration: choose another --out, or empty it"
    case .logWithoutFix(let path): "\(path) holds no fix: there is nothing to demonstrate"
    case .stepFailed(let words): "the demonstration failed: \(words)"
    }
  }
}
