import Exports
import Foundation
import Inspection
import Store
import TimeAndText

extension ExportFiles {
  /// Returns access to an export's files on this machine's disk: each file gets its name when it is
  /// whole and durable.
  /// - Parameters:
  ///   - made: the time at which a GeoPackage says that it was made.
  ///   - photo: returns the path of a photo's own file; nil if the file is not at hand.
  ///   - thumbnail: returns the path of a small picture of a photo, made now if it has to be; nil
  ///     if none can be made.
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
