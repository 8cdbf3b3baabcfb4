import TimeAndText

/// The refusals of uploads.
package enum UploadRefusal {
  /// Another request is receiving the file.
  package static let busy = OfficeRefusal(
    .uploadBusy, "this file is being received from the same device just now: try again later")

  /// The device has too many files that no batch has claimed.
  package static func tooManyOpen(_ limit: Int) -> OfficeRefusal {
    OfficeRefusal(
      .tooManyUploads,
      "\(limit) files of this device are here that no batch has claimed: deliver their batches, or"
        + " end the uploads")
  }

  /// The file was announced with another length before, bytes.
  package static func otherLength(_ known: Int) -> OfficeRefusal {
    OfficeRefusal(.inputInvalid, "this file was announced with \(known) bytes before")
  }

  /// More bytes came than were announced.
  package static func tooMany(_ length: Int) -> OfficeRefusal {
    OfficeRefusal(.fileMismatch, "more bytes came than the \(length) that were announced")
  }

  /// The bytes do not have the announced SHA-256.
  package static func otherBytes(_ digest: String) -> OfficeRefusal {
    OfficeRefusal(
      .fileMismatch, "the bytes that came do not have the SHA-256 \(digest): send them again")
  }

  /// The chunk begins at another place than the end of the bytes that are here.
  package static func otherOffset(_ offset: Int) -> OfficeRefusal {
    OfficeRefusal(.uploadOffset, "\(offset) bytes of it are here: go on from there")
  }
}
