import Judgement
import Sync
import TimeAndText

extension OfficeRefusal {
  /// The seconds after which a field unit comes back if the disk is nearly full: an administrator makes
  /// room meanwhile.
  static let diskRetrySeconds = 300
  /// The seconds after which a field unit comes back if its agency's quota is used up: an administrator
  /// has to decide.
  static let quotaRetrySeconds = 900

  /// The refusal of a revoked device.
  static func keyRevoked(_ reason: String) -> OfficeRefusal {
    OfficeRefusal(.keyRevoked, "this device was revoked: \(reason)")
  }

  /// The refusal of bytes that exceed the agency's quota.
  static func quotaFull(_ room: RoomFacts) -> OfficeRefusal {
    OfficeRefusal(
      .quotaFull,
      "the agency's data take \(room.storedBytes >> 20) of the \((room.quotaBytes ?? 0) >> 20)"
        + " MiB allowed\(Self.words(ofUnclaimed: room.unclaimedBytes)): the office's"
        + " administrator must allow more; everything stays queued",
      retrySeconds: Self.quotaRetrySeconds)
  }

  /// The refusal of bytes while the disk is nearly full.
  static var diskIsLow: OfficeRefusal {
    OfficeRefusal(
      .diskLow,
      "its disk is nearly full, so it accepts nothing new: its administrator must free space;"
        + " everything stays queued", retrySeconds: Self.diskRetrySeconds)
  }

  private static func words(ofUnclaimed bytes: Int) -> Wording {
    bytes == 0 ? "" : ", plus \(bytes >> 20) MiB of files that wait for their batch"
  }
}
