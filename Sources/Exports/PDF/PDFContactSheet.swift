import PDFWriting

/// Small pictures of a volume's photos, in rows. Their frames are drawn at once, the pictures when
/// they are made: each photo is read once, for its own page.
struct PDFContactSheet {
  /// The place of a small picture on its page, in points.
  struct Slot {
    var page: HaruPage
    var left: Double
    var top: Double
    var width: Double
    var height: Double
  }

  private static let gap = 6.0
  private static let captionHeight = 11.0
  /// The most columns: pictures in more of them show nothing any more.
  private static let columnsAtMost = 10
  /// The least share of the last page of a sheet that does not fit on the cover.
  private static let lastPageShare = 0.45
  /// The pixels of a picture for each point of its frame: 150 to the inch.
  private static let pixelsPerPoint = 150.0 / 72

  let columns: Int
  private(set) var slots: [Slot] = []

  /// The pixels that the longer side of a small picture needs.
  var longestSidePixels: Int { Int(Self.width(columns) * Self.pixelsPerPoint) }

  /// Creates an empty sheet with as few columns as the photos have room in.
  /// - Parameters:
  ///   - room: the points that are left on the page.
  ///   - pageHeight: the points that a further page has.
  ///   - below: the points of the following content that shall fit on the same page.
  init(count: Int, room: Double, pageHeight: Double, keeping below: Double) {
    let fewest = min(max(count, 1), 3)
    func fits(_ height: Double, _ most: Int) -> Int? {
      (fewest...most).first { Self.height(count, columns: $0) <= height }
    }
    func fills(_ columns: Int) -> Bool {
      let row = Self.rowHeight(columns)
      let rows = (count + columns - 1) / columns
      let first = Int(room / row)
      let perPage = max(1, Int(pageHeight / row))
      let last = (rows - first - 1) % perPage + 1
      return rows > first && Double(last) * row >= pageHeight * Self.lastPageShare
    }
    let most = Self.columnsAtMost
    columns =
      fits(room - below, 8) ?? fits(room, most)
      ?? stride(from: most, through: 4, by: -1).first(where: fills) ?? most
  }

  private static func width(_ columns: Int) -> Double {
    let all = PDFFlow.width - gap * Double(columns - 1)
    // A single picture over the whole width would repeat the photo's own page.
    return min(all / Double(columns), 238)
  }

  private static func rowHeight(_ columns: Int) -> Double {
    width(columns) * 0.75 + captionHeight
  }

  private static func height(_ count: Int, columns: Int) -> Double {
    Double((count + columns - 1) / columns) * rowHeight(columns)
  }

  /// Draws the frames with the photos' numbers and signs.
  /// - Parameter photos: the photos' numbers, from 1, with their standing.
  mutating func draw(
    _ photos: [(number: Int, standing: Standing)], on flow: PDFFlow
  ) throws(PDFError) {
    let (width, rowHeight) = (Self.width(columns), Self.rowHeight(columns))
    for (index, photo) in photos.enumerated() {
      let column = index % columns
      if column == 0 {
        if index > 0 { flow.space(rowHeight) }
        try flow.reserve(rowHeight)
      }
      let slot = Slot(
        page: flow.page, left: PDFFlow.left + Double(column) * (width + Self.gap), top: flow.y,
        width: width, height: rowHeight - Self.captionHeight)
      flow.page.rectangle(
        x: slot.left, y: slot.top, width: width, height: slot.height,
        HaruPage.Paint(fill: PDFStyle.tint))
      let style = photo.standing == .bad ? PDFStyle.smallStrong : .small
      flow.draw(
        "\(photo.number)\u{A0}\(flow.words.sign(photo.standing))", x: slot.left,
        top: slot.top + slot.height, style)
      slots.append(slot)
    }
    if !photos.isEmpty { flow.space(rowHeight) }
  }

  /// Draws a small picture in its frame, as large as the frame allows.
  /// - Parameter index: the photo's place on the sheet, from 0.
  func draw(_ picture: PDFPicture, at index: Int, _ haru: HaruDocument) throws(PDFError) {
    guard slots.indices.contains(index), let small = picture.small else { return }
    let slot = slots[index]
    let image = try haru.image(jpeg: small)
    let (width, height) = (Double(picture.upright.width), Double(picture.upright.height))
    let scale = min(slot.width / width, slot.height / height)
    slot.page.image(
      image, turn: picture.turn, x: slot.left + (slot.width - width * scale) / 2,
      y: slot.top + (slot.height - height * scale) / 2, width: width * scale,
      height: height * scale)
  }
}
