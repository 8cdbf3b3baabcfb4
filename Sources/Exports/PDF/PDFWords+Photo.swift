import TimeAndText

/// The words on the first page of the document of one photo.
extension PDFWords {
  static let photoKind = "Photo record"
  static func photoTitle(_ time: DeviceTime) -> String { "Photo of \(seconds(time))" }
  static let photoAlone = "It belongs to no task."
  static func photoOfTask(_ name: String) -> String { "It belongs to the task \"\(name)\"." }
  static let hidden = "Hidden"
  static func hiddenSince(_ time: DeviceTime) -> String {
    "by an officer since \(seconds(time)): lists, maps and exports of everything leave it out"
  }
  static let deleted = "Deleted unsent"
}
