import Inspection

/// The words that only KML has.
struct KMLWords {
  let t: DocumentLanguage

  var task: String { t("Task") }
  var evidenceShort: String { t("Evidence") }
  var returnReason: String { t("Returned because") }
  var photosAlone: String { t("Photos without a task") }
  var tracksAlone: String { t("Tracks without a task") }
  var photoPoints: String { t("Photo points") }
  func subject(of point: String) -> String { t("{1}: the thing that it shows", point) }
  var setsAlone: String { t("Sets of pictures without a task") }
  func way(of set: String) -> String { t("{1}: the way", set) }
  func land(_ kind: OrderedPlace.Kind, _ name: String) -> String {
    kind == .parcel ? t("Parcel {1}", name) : t("Section {1}", name)
  }
  func land(of track: String) -> String { t("{1}: the land inside", track) }
  var pictureAbsent: String { t("The picture is not at hand.") }
  var photoFile: String { t("The photo's file") }
  func photo(_ number: String, of task: String) -> String { t("{1}, photo {2}", task, number) }
  func view(of photo: String) -> String { t("{1}: field of view", photo) }
}
