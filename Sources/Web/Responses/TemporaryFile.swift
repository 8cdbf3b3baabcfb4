import Foundation

/// A file that is made for one answer, and goes with it.
public final class TemporaryFile: Sendable {
  /// Where it is to be made: nothing is there yet.
  public let path: String

  /// The name of a file that is not there yet.
  public init(ending: String) {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("standpoint-\(UUID().uuidString).\(ending)").path
  }

  deinit { unlink(path) }
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
}
