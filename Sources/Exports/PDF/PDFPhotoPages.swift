import Evidence
import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The pages of a photo: the picture, the place where it was taken, its claims, and the results of
/// the verifier and the checks.
struct PDFPhotoPages {
  /// The limits of a picture's height, in points. Within them the picture is as large as the words
  /// leave room for on one page; if there are too many words, the picture has the usual height and
  /// the words go on overleaf.
  private static let pictureHeights = 170.0...300.0
  private static let usualPictureHeight = 236.0
  private static let verdictHeight = 24.0
  /// The width of the map and the code next to the picture, and of the gap between, in points.
  private static let sideWidth = 152.0
  private static let sideGap = 8.0
  private static let codeSide = 80.0

  let part: Dossier.PhotoPart
  let number: Int
  let count: Int
  let picture: Result<PDFPicture, PDFPicture.Refusal>
  /// The parcel that the map shows together with the photo; nil if there is none.
  let parcel: Parcel?
  let baseMap: Dossier.BaseMap?
  let flow: PDFFlow

  private var photo: Photo { part.photo }

  func draw() throws(PDFError) {
    try drawTitle()
    switch picture {
    case .success(let picture): try draw(picture)
    case .failure(let refusal): try draw(refusal)
    }
    try drawClaims()
    try drawVerdict()
    try drawChecks()
  }

  private func drawTitle() throws(PDFError) {
    let style = PDFStyle.subtitle
    let title = PDFWords.photo(number, of: count)
    flow.draw(title, x: PDFFlow.left, leading: style.leading, style)
    var x = PDFFlow.left + flow.lineWidth(title, style) + 14
    for tag in tags {
      let width = flow.lineWidth(tag, .tag) + 12
      flow.page.rectangle(
        x: x, y: flow.y + 2, width: width, height: style.leading - 4,
        HaruPage.Paint(fill: PDFStyle.dark))
      flow.draw(tag, x: x + 6, leading: style.leading, .tag)
      x += width + 6
    }
    flow.space(style.leading + 6)
  }

  private var tags: [String] {
    (photo.isSimulated ? [PDFWords.simulated] : [])
      + (photo.origin == .imported ? [PDFWords.imported] : [])
      + (photo.origin == .egnss4cap ? [PDFWords.unsealed] : [])
  }

  // MARK: the picture

  private var pictureWidth: Double { PDFFlow.width - Self.sideWidth - Self.sideGap }

  private func draw(_ picture: PDFPicture) throws(PDFError) {
    let image = try flow.haru.image(jpeg: picture.jpeg)
    let (width, height) = (Double(picture.upright.width), Double(picture.upright.height))
    let caption = PDFStyle.small.leading + 3
    let damage = picture.damage.map(PDFWords.pictureDamaged)
    let warning = damage == nil ? 0 : 2 * PDFStyle.strong.leading
    let room = flow.remaining - wordsHeight - caption - warning - 2
    let limits = Self.pictureHeights
    let limit =
      room < limits.lowerBound ? Self.usualPictureHeight : min(room, limits.upperBound)
    let scale = min(pictureWidth / width, limit / height)
    let frame = max(height * scale, limits.lowerBound)
    flow.page.rectangle(
      x: PDFFlow.left, y: flow.y, width: pictureWidth, height: frame,
      HaruPage.Paint(fill: PDFStyle.tint))
    flow.page.image(
      image, turn: picture.turn, x: PDFFlow.left + (pictureWidth - width * scale) / 2,
      y: flow.y + (frame - height * scale) / 2, width: width * scale, height: height * scale)
    try drawSide(height: frame)
    flow.space(frame + 3)
    try flow.paragraph(
      PDFWords.pictureShown(
        PDFWords.pixels(picture.upright.width, picture.upright.height),
        PDFWords.pixels(photo.widthPixels, photo.heightPixels)), .small)
    if let damage { try flow.paragraph(damage, .strong) }
  }

  private func draw(_ refusal: PDFPicture.Refusal) throws(PDFError) {
    let height = Self.pictureHeights.lowerBound
    flow.page.rectangle(
      x: PDFFlow.left, y: flow.y, width: pictureWidth, height: height,
      HaruPage.Paint(fill: PDFStyle.tint, stroke: PDFStyle.hairline))
    let style = PDFStyle.strong
    let words = PDFWords.pictureMissing
    flow.draw(
      words, x: PDFFlow.left + (pictureWidth - flow.lineWidth(words, style)) / 2,
      leading: height, style)
    try drawSide(height: height)
    flow.space(height + 3)
    try flow.paragraph(PDFWords.pictureReason(refusal.reason))
  }

  /// Draws a map of this photo with its parcel, and the digest as a code for telephones.
  private func drawSide(height: Double) throws(PDFError) {
    let left = PDFFlow.left + PDFFlow.width - Self.sideWidth
    let code = Digest.isDigest(photo.fileDigest) ? QRCode(photo.fileDigest) : nil
    let codeHeight = code == nil ? 0 : Self.codeSide
    if let map {
      try SketchMapDrawing(
        of: map, on: flow, over: baseMap,
        in: SketchMapDrawing.Frame(
          left: left, top: flow.y, width: Self.sideWidth, height: height - codeHeight,
          isSmall: true)
      ).drawFigure()
    }
    guard let code else { return }
    let top = flow.y + height - Self.codeSide
    flow.page.code(code, x: left - 5, y: top + 1, side: Self.codeSide, ink: PDFStyle.dark)
    let style = PDFStyle.small
    let words = left + Self.codeSide
    let lines = flow.typeface(style).lines(
      of: PDFWords.codeMeans, size: style.size, width: left + Self.sideWidth - words)
    for (index, line) in lines.enumerated() {
      flow.draw(line, x: words, top: top + 9 + Double(index) * style.leading, style)
    }
  }

  /// The map of the parcel with the photo; of the photo alone if it was taken far away.
  private var map: SketchMap? {
    let whole = SketchMap(of: parcel, photos: [photo], tracks: [], firstPhoto: number)
    if let whole, !whole.marks.isEmpty { return whole }
    return SketchMap(of: nil, photos: [photo], tracks: [], firstPhoto: number)
  }

  // MARK: the claims

  private func drawClaims() throws(PDFError) {
    try flow.heading(PDFWords.claims)
    try flow.table(measured)
    try flow.table(named)
  }

  private var measured: PDFTable {
    PDFTable.pairs(
      positionClaims + directionClaims, heads: [PDFWords.position, PDFWords.timeAndDirection])
  }

  private var named: PDFTable {
    var table = PDFTable.labelled()
    table.add(PDFWords.directionSource, photo.orientation.map(PDFWords.source) ?? PDFWords.notKnown)
    if let source = part.receiverSource { table.add(PDFWords.receiverSource, source) }
    if let way = part.cameraWay { table.add(PDFWords.cameraWay, "\(way.wording)") }
    if let sent = photo.sent { table.add(PDFWords.sent, PDFWords.seconds(sent)) }
    if let delivered = photo.delivered {
      table.add(PDFWords.receipt, PDFWords.seconds(delivered))
    }
    table.add(
      PDFWords.file,
      PDFWords.file(
        bytes: photo.bytes, pixels: PDFWords.pixels(photo.widthPixels, photo.heightPixels)))
    table.add(PDFWords.digest, photo.fileDigest)
    table.add(PDFWords.identifier, photo.id.description)
    table.add(PDFWords.takenBy, photo.inspector)
    table.add(PDFWords.note, photo.note ?? PDFWords.none)
    return table
  }

  private var positionClaims: [(String, String)] {
    let position = photo.position
    let samples: String
    let spread: String
    if let standpoint = photo.standpoint {
      samples = PDFWords.samples(standpoint)
      spread = PDFWords.metres(standpoint.spreadMetres)
    } else {
      samples = position.method == .fix ? PDFWords.noSamples : PDFWords.notKnown
      spread = PDFWords.notKnown
    }
    return [
      (PDFWords.latitude, PDFWords.degrees(position.coordinate.latitudeDegrees)),
      (PDFWords.longitude, PDFWords.degrees(position.coordinate.longitudeDegrees)),
      (PDFWords.ellipsoidalHeight, PDFWords.metres(position.ellipsoidalHeightMetres)),
      (PDFWords.seaLevelHeight, PDFWords.metres(position.meanSeaLevelHeightMetres)),
      (PDFWords.uncertainty, PDFWords.plusMinus(position.uncertaintyMetres95)),
      (PDFWords.method, PDFWords.method(position.method)), (PDFWords.samples, samples),
      (PDFWords.spread, spread),
    ]
  }

  private var directionClaims: [(String, String)] {
    let orientation = photo.orientation
    let camera = photo.camera
    let across = PDFWords.number(camera.horizontalDegrees, places: 1, unit: "°")
    let along = PDFWords.number(camera.verticalDegrees, places: 1, unit: "°")
    return [
      (PDFWords.gnssTime, photo.toldGNSSTime.map(PDFWords.milliseconds) ?? PDFWords.notKnown),
      (PDFWords.deviceTime, PDFWords.milliseconds(photo.deviceTime.gnssTime)),
      (
        PDFWords.clockDifference,
        photo.toldGNSSTime.map { PDFWords.difference(photo.deviceTime, $0) } ?? PDFWords.notKnown
      ),
      (
        PDFWords.azimuth,
        PDFWords.angle(
          orientation?.azimuthDegreesTrue, accuracy: orientation?.azimuthAccuracyDegrees)
      ),
      (
        PDFWords.angle,
        PDFWords.angle(orientation?.angleDegrees, accuracy: orientation?.tiltAccuracyDegrees)
      ), (PDFWords.fieldOfView, "\(across) × \(along) (\(PDFWords.source(camera.source)))"),
      (PDFWords.origin, PDFWords.origin(photo.origin)),
      (
        PDFWords.receiver,
        photo.isSimulated ? PDFWords.receiverSimulated : PDFWords.receiverReal
      ),
    ]
  }

  // MARK: verdict and checks

  private func drawVerdict() throws(PDFError) {
    try flow.heading(PDFWords.verifier, keeping: Self.verdictHeight + 15)
    let verdict = part.verdict
    let height = Self.verdictHeight
    try flow.reserve(height + 20)
    // Any verdict but intact stands out without a colour: its box is filled.
    let isPlain = verdict == .intact || verdict == nil
    let ink = isPlain ? PDFStyle.dark : PDFStyle.white
    flow.page.rectangle(
      x: PDFFlow.left, y: flow.y, width: PDFFlow.width, height: height,
      HaruPage.Paint(fill: isPlain ? PDFStyle.tint : PDFStyle.dark))
    let word = "\(PDFWords.sign(verdict))  \(PDFWords.word(verdict))"
    let strong = PDFStyle(face: .bold, size: 11, leading: height, ink: ink)
    let plain = PDFStyle(face: .regular, size: 8.5, leading: height, ink: ink)
    flow.draw(word, x: PDFFlow.left + 9, leading: height, strong)
    flow.draw(
      PDFWords.meaning(verdict), x: PDFFlow.left + 9 + flow.lineWidth(word, strong) + 14,
      leading: height, plain)
    flow.space(height + 3)
    if let suitability = part.suitability {
      try flow.paragraph(PDFWords.suitability(suitability), .label)
    }
    if let findings {
      try flow.table(findings)
    } else if verdict != nil {
      try flow.paragraph(PDFWords.findingsNone, .label)
    }
  }

  private var findings: PDFTable? {
    guard !part.findings.isEmpty else { return nil }
    var table = PDFTable(widths: [66, 76, PDFFlow.width - 142])
    table.head = PDFWords.findingsColumns.map { PDFTable.Cell($0, .columnHead) }
    for finding in part.findings {
      table.rows.append([
        PDFTable.Cell(
          PDFWords.word(finding.severity), finding.severity == .note ? .body : .strong),
        PDFTable.Cell(PDFWords.word(finding.check)),
        PDFTable.Cell(PDFWords.finding(finding, on: photo)),
      ])
    }
    return table
  }

  private func drawChecks() throws(PDFError) {
    let height = checks.map(flow.height(of:)) ?? PDFStyle.label.leading
    try flow.heading(PDFWords.checks, keeping: min(height, 60))
    guard let checks else { return try flow.paragraph(PDFWords.checksNone, .label) }
    try flow.table(checks)
    flow.space(2)
    try flow.paragraph(PDFWords.checksSigns, .small)
  }

  private var checks: PDFTable? {
    guard !part.checks.isEmpty else { return nil }
    var table = PDFTable(widths: [20, 172, PDFFlow.width - 192])
    for check in part.checks {
      let style = check.isGood == false ? PDFStyle.strong : .body
      table.rows.append([
        PDFTable.Cell(PDFWords.sign(isGood: check.isGood), .strong),
        PDFTable.Cell(check.name, style), PDFTable.Cell(check.value, style),
      ])
    }
    return table
  }

  /// The height of all content below the picture, in points.
  private var wordsHeight: Double {
    let line = PDFStyle.label.leading
    let findings = findings.map(flow.height(of:)) ?? line
    let checks = checks.map { flow.height(of: $0) + 2 + PDFStyle.small.leading } ?? line
    return 3 * PDFFlow.headingHeight + flow.height(of: measured) + flow.height(of: named)
      + Self.verdictHeight + 3 + findings + checks
  }
}
