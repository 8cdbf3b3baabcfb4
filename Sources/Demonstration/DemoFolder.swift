import FieldUnit
import Foundation

/// The demonstration's own folder.
package enum DemoFolder {
  private static let marker = ".standpoint-demo"

  /// Empties the folder if an earlier demonstration made it, and writes the log and the tasks into it.
  /// - Throws: `DemoError.notOurs` if the folder holds something else.
  package static func prepare(_ folder: URL, _ scene: DemoScene) throws {
    let files = FileManager.default
    let path = folder.path
    let present = (try? files.contentsOfDirectory(atPath: path)) ?? []
    if !present.isEmpty, !present.contains(marker) { throw DemoError.notOurs(path: path) }
    do {
      for name in present where name != marker {
        try files.removeItem(at: folder.appendingPathComponent(name))
      }
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: folder.appendingPathComponent(marker))
      try Data(scene.log).write(to: folder.appendingPathComponent("walk.nmea"))
      try Data(scene.tasksGeoJSON.utf8).write(to: folder.appendingPathComponent("tasks.geojson"))
    } catch {
      throw FieldUnitError.unwritable(
        path: path, reason: "the folder cannot be made or emptied; check its permissions")
    }
  }
}
