/// A password of a map service. Its text reaches the service and the file of layers, and no log, page
/// or message: printed, it is five dots.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The password itself.
  let text: String

  /// Creates a secret; nil for an empty text.
  package init?(_ text: String?) {
    guard let text, !text.isEmpty else { return nil }
    self.text = text
  }

  package var description: String { "•••••" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
