import CHaru
import Evidence
import Inspection

/// The pages of one volume, between its cover and the closing page.
struct PDFVolume {
  let dossier: Dossier
  /// The volume's number, from 1.
  let number: Int
  let count: Int
  let photos: Range<Int>

  func draw(
    on flow: PDFFlow, progress: (Int, Int) -> Void, isCancelled: () -> Bool
  ) throws(PDFError) {
    if number == 1 {
      try PDFTaskPages(dossier: dossier, volumes: count, flow: flow).draw()
    } else {
      try PDFVolumeCover(
        dossier: dossier, volume: (number, count), photos: photos, flow: flow
      ).draw()
    }
    try drawPhotos(on: flow, progress, isCancelled)
    if number == 1 { try drawTracks(on: flow) }
    try drawAppendix(on: flow)
  }

  private func drawPhotos(
    on flow: PDFFlow, _ progress: (Int, Int) -> Void, _ isCancelled: () -> Bool
  ) throws(PDFError) {
    var all: HPDF_Outline?
    var index = photos.lowerBound
    while index < photos.upperBound {
      if isCancelled() { throw .cancelled }
      let handful = index..<min(index + PDFPicture.atOnce, photos.upperBound)
      let pictures = PDFPicture.made(of: dossier.photos[handful])
      for (index, picture) in zip(handful, pictures) {
        try flow.newPage()
        if all == nil { all = flow.haru.bookmark(PDFWords.photos, at: flow.page) }
        flow.haru.bookmark(PDFWords.bookmark(index + 1), at: flow.page, below: all)
        try PDFPhotoPages(
          part: dossier.photos[index], number: index + 1, count: dossier.photos.count,
          picture: picture, parcel: dossier.task.parcel, baseMap: dossier.baseMap, flow: flow
        ).draw()
        progress(index + 1, dossier.photos.count)
      }
      index = handful.upperBound
    }
  }

  private func drawTracks(on flow: PDFFlow) throws(PDFError) {
    var all: HPDF_Outline?
    for (index, track) in dossier.tracks.enumerated() {
      try flow.newPage()
      if all == nil { all = flow.haru.bookmark(PDFWords.tracks, at: flow.page) }
      flow.haru.bookmark(PDFWords.track(index + 1), at: flow.page, below: all)
      try PDFTrackPages(
        track: track, number: index + 1, parcel: dossier.task.parcel, baseMap: dossier.baseMap,
        flow: flow
      ).draw()
    }
  }

  /// Draws the appendix with the reception of this volume's photos, and embeds their records;
  /// tracks and further files are in the first volume.
  private func drawAppendix(on flow: PDFFlow) throws(PDFError) {
    var rows: [PDFAppendix.Row] = []
    var attachments = number == 1 ? dossier.attachments : []
    if number == 1, let evidence = dossier.evidence {
      attachments.append(
        Dossier.Attachment(
          name: EvidenceList.name, meaning: PDFWords.evidenceMeaning, mediaType: "text/plain",
          bytes: evidence.bytes))
    }
    for index in photos {
      let part = dossier.photos[index]
      let record = try? part.record?()
      rows.append((index + 1, part.photo, record.map { Reception(record: $0.record) }))
      guard let record else { continue }
      attachments.append(
        Dossier.Attachment(
          name: "\(part.photo.id).jpg.seal", meaning: PDFWords.recordMeaning,
          mediaType: "application/json", bytes: record.bytes))
    }
    let tracks = number == 1 ? dossier.tracks : []
    guard !rows.isEmpty || !tracks.isEmpty || !attachments.isEmpty else { return }
    try PDFAppendix(rows: rows, tracks: tracks, attachments: attachments, flow: flow).draw()
    if number == 1 { try PDFFieldNames(flow: flow).draw() }
    try flow.haru.attach(attachments, made: dossier.made)
  }
}
