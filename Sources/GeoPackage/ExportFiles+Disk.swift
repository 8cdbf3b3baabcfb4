import Exports
import Foundation
import Inspection
import Positioning
import Store

extension ExportFiles {
  /// The files of an export on this machine's disk: each has its name when it is whole and durable.
  /// - Parameters:
  ///   - made: the time that a GeoPackage says it was made at.
  ///   - photo: where a photo's own file lies; nil where it is not at hand.
  ///   - thumbnail: where a small picture of it lies, made now if it has to be; nil where none can be.
  public static func onDisk(
    made: DeviceTime, photo: @escaping (Photo) throws -> String?,
    thumbnail: @escaping (Photo) throws -> String?
  ) -> ExportFiles {
    ExportFiles(
      photo: photo, thumbnail: thumbnail, read: { try DurableFile.read($0) },
      write: { path, body in try DurableFile.stream(to: path) { try body($0) } },
      geoPackage: { path, body in
        try DurableFile.placing(path) { temporary in
          try GeoPackageFile.make(at: temporary, made: made) { writer in
            try body(GeoPackageRows(writer: writer))
          }
        }
      }, remove: { unlink($0) })
  }
}
