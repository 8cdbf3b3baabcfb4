import Foundation

/// A file that is made for one answer and removed after it. Its folder, which also holds every
/// other file written on the way, can be read by its owner only: other users of the machine read
/// none of it.
public final class TemporaryFile: Sendable {
  /// The path at which the file is to be made: nothing is there yet.
  public let path: String
  private let folder: String

  /// Creates the folder and the name of a file that is not there yet. If the folder cannot be made,
  /// the writer of the file meets and reports the error.
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
  /// Answers with a file that was made for this answer, offered to be saved. The answer carries the
  /// file's length: a client that gets less knows that the file is not complete.
  public static func file(
    _ file: TemporaryFile, mediaType: String, fileName: String
  ) -> WebResponse {
    var response = WebResponse.file(
      path: file.path, mediaType: mediaType, fileName: fileName, isAttachment: true)
    response.kept = file
    return response
  }

  /// Returns the answer, which keeps `thing` alive until it is sent.
  public func keeping(_ thing: some AnyObject & Sendable) -> WebResponse {
    var response = self
    response.kept = thing
    return response
  }
}
