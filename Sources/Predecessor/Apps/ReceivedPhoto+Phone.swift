import Inspection
import Office
import Positioning
import Store
import Sync

/// A phone's picture that is to be kept.
struct PhonePicture: Sendable {
  /// What the photo is to be called.
  let id: Identifier
  /// SHA-256 of its bytes.
  let digest: String
  /// How many bytes it has.
  let bytes: Int
  let widthPixels: Int
  let heightPixels: Int
}

extension ReceivedPhoto {
  /// A phone's photo as the office keeps it, whether the phone has sent it here or to an older office.
  ///
  /// - Parameters:
  ///   - fields: what the app sent with it.
  ///   - person: whose it is.
  ///   - taken: when it was taken, by the phone's clock.
  ///   - arrived: when it came.
  /// - Returns: nil where the fields name no place.
  init?(
    phone fields: PhoneFields, picture: PhonePicture, of person: Person, task: Identifier?,
    taken: DeviceTime, arrived: DeviceTime
  ) {
    guard let position = fields.position,
      // A receiver's time without a date is none that was told; the page shows none then.
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
