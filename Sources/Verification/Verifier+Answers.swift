import Evidence
import Inspection
import TimeAndText

extension Verifier {
  /// Checks that the photos on which answers rest are sealed photos of the same task.
  mutating func checkAnswers() {
    let photos = Dictionary(
      seals.lazy.filter { $0.link.kind == .capture }.map { ($0.link.id.description, $0) }
    ) { first, _ in first }
    for entry in seals where entry.link.kind == .answer {
      for case let id? in (entry.file.record["answer"]?["photos"]?.elements ?? []).map(\.text) {
        if let photo = photos[id] {
          if photo.file.task != entry.file.task {
            add(entry.path, .file, .doubtful, "it rests on photo \(id), which is not of its task")
          }
        } else {
          add(
            entry.path, .file, files.isSelection ? .note : .incomplete,
            "it rests on photo \(id), which is not here")
        }
      }
    }
  }
}
