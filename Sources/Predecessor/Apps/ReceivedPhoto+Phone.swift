import Inspection
import Office
import Positioning
import Store
import Sync
import TimeAndText

/// A phone's picture that is to be kept.
struct PhonePicture: Sendable {
  /// The identifier that the photo gets.
  let id: Identifier
  /// SHA-256 of its bytes, in lower-case hexadecimal.
  let digest: String
  /// The number of its bytes.
  let bytes: Int
  let widthPixels: Int
  let heightPixels: Int
}

extension ReceivedPhoto {
  /// Creates a phone's photo as the office keeps it, sent by the phone here or to an older office;
  /// nil if the fields name no place.
  ///
  /// - Parameters:
  ///   - fields: the fields that the app sent with it.
  ///   - person: the photo's inspector.
  ///   - taken: when it was taken, by the phone's clock.
  ///   - arrived: when it arrived.
  init?(
    phone fields: PhoneFields, picture: PhonePicture, of person: Person, task: Identifier?,
    taken: DeviceTime, arrived: DeviceTime
  ) {
    guard let position = fields.position,
      // GNSS time without a date means that the receiver told none; the page then shows none.
      let bare = GNSSTime(
        millisecondsSinceMidnight: taken.gnssTime.millisecondsSinceMidnight, date: nil)
    else { return nil }
    let receiver = fields.receiver.fix
    self.init(
      photo: Photo(
        id: picture.id, agency: person.agency, inspector: person.login, task: task,
        origin: .egnss4cap,
        gnssTime: receiver.flatMap { $0.time.date == nil ? nil : $0.time } ?? bare,
        deviceTime: taken, position: position, standpoint: nil,
        orientation: fields.orientation(at: taken),
        camera: fields.camera(
          widthPixels: picture.widthPixels, heightPixels: picture.heightPixels)
          ?? .assumed(widthPixels: picture.widthPixels, heightPixels: picture.heightPixels),
        fileDigest: picture.digest, bytes: picture.bytes, widthPixels: picture.widthPixels,
        heightPixels: picture.heightPixels, note: fields.note, isSimulated: false, sent: arrived,
        delivered: arrived), verdict: nil, findings: [], revision: nil, imageDigest: nil)
  }
}
