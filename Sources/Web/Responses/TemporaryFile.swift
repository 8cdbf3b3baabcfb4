import Foundation

/// A file that is made for one answer, and goes with it. It lies in a folder of its own that is its owner's
/// only, with whatever else is written beside it on the way: other people of the machine read none of it.
public final class TemporaryFile: Sendable {
  /// Where it is to be made: nothing is there yet.
  public let path: String
  private let folder: String

  /// The name of a file that is not there yet. Where its folder cannot be made, neither can the file: whoever
  /// writes it says so.
  public init(ending: String) {
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("standpoint-\(UUID().uuidString)").path
    path = "\(folder)/export.\(ending)"
    mkdir(folder, 0o700)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}

extension WebResponse {
  /// A file that was made for this answer, offered to be saved. It is sent with its length: who gets less knows
  /// that it is not all.
  public static func file(
    _ file: TemporaryFile, mediaType: String, fileName: String
  ) -> WebResponse {
    var response = WebResponse.file(
      path: file.path, mediaType: mediaType, fileName: fileName, isAttachment: true)
    response.kept = file
    return response
  }

  /// The same answer, which holds on to something until it is sent.
  public func keeping(_ thing: some AnyObject & Sendable) -> WebResponse {
    var response = self
    response.kept = thing
    return response
  }
}
