import FieldUnit
import Inspection
import Matching
import Store
import Web

extension CameraAddress {
  /// Creates the address of a page.
  init(_ view: CameraView) {
    self.init(
      task: view.task?.id, item: view.item?.name, point: view.point?.id, footing: view.footing,
      isMaking: view.isMaking)
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
