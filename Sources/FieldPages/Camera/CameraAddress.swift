import FieldUnit
import Inspection
import Matching
import Store
import Web

/// The subject of a camera page, as its address and its forms carry it.
struct CameraAddress: Hashable, Sendable {
  /// The task that photos are taken for; nil for photos without a task.
  var task: Identifier?
  /// The photo point that is to be photographed again; nil for none.
  var point: Identifier?
  /// The photo whose photo point gets the next photo as that of the ground; nil for none.
  var footing: Identifier?

  /// Creates the address of a page.
  init(_ view: CameraView) {
    (task, point, footing) = (view.task?.id, view.point?.id, view.footing)
  }

  /// Creates the address from the fields of a form; a field that is no identifier counts as absent.
  init(_ form: WebForm) {
    task = form["task"].flatMap(Identifier.init(_:))
    point = form["point"].flatMap(Identifier.init(_:))
    footing = form["footing"].flatMap(Identifier.init(_:))
  }

  /// The fields with their values.
  var fields: [(String, String)] {
    [("task", task), ("point", point), ("footing", footing)].compactMap { name, id in
      id.map { (name, $0.description) }
    }
  }

  /// The query; nil if it has no field.
  var query: String? {
    fields.isEmpty ? nil : fields.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// The address of the camera page.
  var href: String { "/camera" + (query.map { "?\($0)" } ?? "") }

  /// Returns the address of the page that follows when the camera is closed.
  /// - Parameter photo: the photo that was just taken; nil if none was.
  func afterwards(photo: Identifier?) -> String {
    if let footing { return "/photos/\(footing)/point" + (photo.map { "?footing=\($0)" } ?? "") }
    if let task { return "/tasks/\(task)" }
    return point.map { "/points/\($0)" } ?? "/photos"
  }
}

extension CameraPages {
  /// Returns the aim at a photo point. The pictures are compared by the worker, which ends by itself
  /// after some seconds; without it, the record says nothing about the pictures.
  func aim(at point: PhotoPoint, _ unit: InspectorUnit) throws -> RepeatAim {
    let path = try server.points.path(of: .reference, point, on: unit)
    let (matcher, log) = (matcher, server.log)
    return RepeatAim(at: point) { frame in
      guard let path else { return nil }
      do {
        let earlier = PictureMatcher.Earlier(
          digest: point.reference.digest, bytes: try DurableFile.read(path))
        return try await matcher.compare(earlier, with: frame)
      } catch {
        log.note("the photo was not compared with photo point \(point.id): \(error)")
        return nil
      }
    }
  }
}
