import Evidence
import Inspection
import PDFWriting

/// The pages of one volume.
struct PDFVolume {
  let dossier: Dossier
  /// The volume's number, from 1.
  let number: Int
  let count: Int
  let photos: Range<Int>

  func draw(
    on flow: PDFFlow, progress: (Int, Int) -> Void, isCancelled: () -> Bool
  ) throws(PDFError) {
    let sheet = try PDFCover(
      dossier: dossier, volume: (number, count), photos: photos, flow: flow
    ).draw()
    if number == 1, !dossier.sets.isEmpty {
      try flow.paragraph(flow.words.onSets.follow(dossier.sets.count), .strong)
    }
    let order = PDFOrder(task: dossier.task, dossier: dossier, flow: flow)
    // Order and history stand on the cover if they have room there, otherwise behind the photos.
    let isOnCover = number == 1 && (order.height <= flow.remaining || photos.isEmpty)
    if isOnCover { try order.draw() }
    let records = try drawPhotos(on: flow, sheet, progress, isCancelled)
    if number == count {
      try PDFSets(sets: dossier.sets, flow: flow).draw()
      try PDFComposites(composites: dossier.composites, flow: flow).draw()
    }
    let attachments = files(flow.words) + records
    let evidence = PDFEvidence(
      list: dossier.evidence, attachments: attachments,
      authorityFingerprint: dossier.authorityFingerprint,
      howToCheck: flow.words.howToCheckText)
    if !photos.isEmpty { try flow.newPage() }
    if number == 1 {
      try PDFClosing(
        dossier: dossier, withOrder: !isOnCover, evidence: evidence, flow: flow
      ).draw()
    } else {
      try evidence.draw(on: flow)
    }
    try flow.haru.attach(attachments, made: dossier.made)
  }

  private func drawPhotos(
    on flow: PDFFlow, _ sheet: PDFContactSheet, _ progress: (Int, Int) -> Void,
    _ isCancelled: () -> Bool
  ) throws(PDFError) -> [Dossier.Attachment] {
    var all: PDFOutline?
    var records: [Dossier.Attachment] = []
    func making(_ photos: Range<Int>) -> PDFPicture.Making {
      PDFPicture.Making(
        reading: dossier.photos[photos].map(\.jpeg), smallSide: sheet.longestSidePixels)
    }
    var handful = self.handful(from: photos.lowerBound)
    var pictures = making(handful)
    while !handful.isEmpty {
      if isCancelled() { throw .cancelled }
      let made = pictures.pictures()
      // The next pictures are made while these pages are drawn.
      let next = self.handful(from: handful.upperBound)
      pictures = making(next)
      for (index, picture) in zip(handful, made) {
        try flow.newPage()
        if all == nil { all = flow.haru.bookmark(flow.words.photos, at: flow.page) }
        flow.haru.bookmark(flow.words.photo(index + 1), at: flow.page, below: all)
        let part = dossier.photos[index]
        let record = try part.readRecord()
        try PDFPhotoPage(
          part: part, record: record, title: flow.words.photo(index + 1, of: dossier.photos.count),
          number: index + 1, picture: picture, parcel: dossier.task.parcel,
          baseMap: dossier.baseMap,
          takenBy: dossier.name(of: part.photo.inspector), flow: flow
        ).draw()
        if let picture = try? picture.get() {
          try sheet.draw(picture, at: index - photos.lowerBound, flow.haru)
        }
        if let record {
          records.append(
            Dossier.Attachment(
              name: "\(part.photo.id).jpg.seal", meaning: flow.words.recordMeaning,
              mediaType: "application/json", bytes: record.bytes))
        }
        progress(index + 1, dossier.photos.count)
      }
      handful = next
    }
    return records
  }

  private func handful(from index: Int) -> Range<Int> {
    index..<min(index + PDFPicture.atOnce, photos.upperBound)
  }

  /// Returns the files that are in the first volume alone: further files, and the list of all
  /// evidence. Each volume also carries its photos' records.
  private func files(_ words: DocumentWords) -> [Dossier.Attachment] {
    guard number == 1 else { return [] }
    let evidence = dossier.evidence.map {
      Dossier.Attachment(
        name: EvidenceList.name, meaning: words.evidenceMeaning, mediaType: "text/plain",
        bytes: $0.bytes)
    }
    return dossier.attachments + [evidence].compactMap(\.self)
  }
}

extension Dossier.PhotoPart {
  /// Reads the photo's seal file; nil if there is no record. A record that cannot be read ends the
  /// PDF, which would otherwise lack evidence unseen.
  func readRecord() throws(PDFError) -> SealFile? {
    do {
      return try record?()
    } catch {
      throw .recordUnreadable(photo: photo.id.description, reason: "\(error)")
    }
  }
}
