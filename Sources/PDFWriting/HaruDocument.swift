import CHaru
import Foundation
import TimeAndText

/// The owner of a libharu document, which is freed with this object even after an error.
///
/// libharu records the first error and refuses all calls after it, so drawing need not be checked
/// call by call; `check` is called after each page. No error handler is installed: without one
/// libharu only records the error.
package final class HaruDocument {
  package let regular: PDFTypeface
  package let bold: PDFTypeface
  let document: HPDF_Doc
  let spill: HaruSpill
  package private(set) var pages: [HaruPage] = []
  /// The tiles of base maps by zoom, column and row; nil for a tile that cannot be drawn.
  var tiles: [[Int]: HPDF_Image?] = [:]
  private var inks: [Double: SeeThroughInk] = [:]
  /// The texts that libharu reads only when it writes the document.
  private var kept: [UnsafeMutablePointer<CChar>] = []
  private let outlineEncoder: HPDF_Encoder?

  /// Creates an empty document with its fonts.
  /// - Parameters:
  ///   - path: the document's future path; the waiting pictures are kept next to it.
  ///   - spill: the file in which pictures wait; nil to create one next to `path`.
  init(fonts: PDFFonts, for path: String, spill: HaruSpill?) throws(PDFError) {
    if let missing = fonts.missingPath { throw .fontMissing(path: missing) }
    if let spill { self.spill = spill } else { self.spill = try HaruSpill(beside: path) }
    guard let document = HPDF_New(nil, nil) else {
      throw .library(step: "start", status: UInt(HPDF_FAILD_TO_ALLOC_MEM), detail: 0)
    }
    do throws(PDFError) {
      // Compression is set before the fonts are loaded: otherwise the fonts' parts would not be
      // compressed.
      HPDF_SetCompressionMode(document, HPDF_UINT(HPDF_COMP_ALL))
      HPDF_UseUTFEncodings(document)
      HPDF_SetCurrentEncoder(document, "UTF-8")
      try Self.check(document, step: "start")
      let unicode = try Self.unicodeMap(document)
      regular = try Self.load(fonts.regularPath, into: document, unicode: unicode)
      bold = try Self.load(fonts.boldPath, into: document, unicode: unicode)
      outlineEncoder = HPDF_GetEncoder(document, "UTF-8")
      HPDF_SetPageMode(document, HPDF_PAGE_MODE_USE_OUTLINE)
      self.document = document
    } catch {
      HPDF_Free(document)
      throw error
    }
  }

  /// Creates an empty document with its fonts.
  /// - Parameter path: the document's future path; the waiting pictures are kept next to it.
  package convenience init(fonts: PDFFonts, for path: String) throws(PDFError) {
    try self.init(fonts: fonts, for: path, spill: nil)
  }

  deinit {
    HPDF_Free(document)
    for text in kept { free(text) }
  }

  /// Copies a text to memory that keeps its address as long as the document lives; nil if there is
  /// no memory.
  func keep(_ text: String) -> UnsafeMutablePointer<CChar>? {
    guard let copy = strdup(text) else { return nil }
    kept.append(copy)
    return copy
  }

  // MARK: errors

  /// Checks that all went well so far.
  /// - Throws: `PDFError.library` if libharu has recorded an error.
  package func check(step: String) throws(PDFError) {
    try Self.check(document, step: step)
  }

  private static func check(_ document: HPDF_Doc, step: String) throws(PDFError) {
    let status = HPDF_GetError(document)
    guard status != HPDF_STATUS(HPDF_OK) else { return }
    throw .library(
      step: step, status: UInt(status), detail: UInt(HPDF_GetErrorDetail(document)))
  }

  // MARK: fonts

  private static func load(
    _ path: String, into document: HPDF_Doc, unicode: HPDF_Dict
  ) throws(PDFError) -> PDFTypeface {
    let embedded = HPDF_BOOL(HPDF_TRUE)
    guard let name = HPDF_LoadTTFontFromFile(document, path, embedded),
      let definition = HPDF_GetFontDef(document, name),
      let font = HPDF_GetFont(document, name, "UTF-8")
    else { throw .fontUnusable(path: path, status: UInt(HPDF_GetError(document))) }
    HPDF_Dict_Add(font, "ToUnicode", unicode)
    try check(document, step: "fonts")
    return PDFTypeface(font: font, definition: definition)
  }

  /// Makes the map from character codes to characters, which readers need for searching and
  /// copying. libharu writes the character codes as UTF-16, but its own map is one of glyphs
  /// (`begincidrange`) where a map of characters belongs, which readers complain about and some
  /// ignore; this map is correct.
  private static func unicodeMap(_ document: HPDF_Doc) throws(PDFError) -> HPDF_Dict {
    guard let map = HPDF_DictStream_New(document.pointee.mmgr, document.pointee.xref) else {
      throw .library(step: "fonts", status: UInt(HPDF_GetError(document)), detail: 0)
    }
    map.pointee.filter = HPDF_UINT(HPDF_STREAM_FILTER_FLATE_DECODE)
    HPDF_Stream_WriteStr(map.pointee.stream, unicodeMapText)
    try check(document, step: "fonts")
    return map
  }

  /// The text of the character map: each code is its own character. A range may not cross a code's
  /// first byte, and a block holds at most 100 ranges (Adobe Technical Note 5014).
  private static let unicodeMapText: String = {
    let surrogates = 0xD8...0xDF
    let ranges = (0...0xFF).filter { !surrogates.contains($0) }.map { high in
      let digits = (high < 16 ? "0" : "") + String(high, radix: 16, uppercase: true)
      return "<\(digits)00> <\(digits)FF> <\(digits)00>\n"
    }
    var text = """
      /CIDInit /ProcSet findresource begin
      12 dict begin
      begincmap
      /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
      /CMapName /Adobe-Identity-UCS def
      /CMapType 2 def
      1 begincodespacerange
      <0000> <FFFF>
      endcodespacerange

      """
    for start in stride(from: 0, to: ranges.count, by: 100) {
      let block = ranges[start..<min(start + 100, ranges.count)]
      text += "\(block.count) beginbfrange\n" + block.joined() + "endbfrange\n"
    }
    return text + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
  }()

  // MARK: parts

  /// Adds a page of A4, portrait.
  package func addPage() throws(PDFError) -> HaruPage {
    guard let handle = HPDF_AddPage(document) else {
      throw .library(step: "page", status: UInt(HPDF_GetError(document)), detail: 0)
    }
    HPDF_Page_SetSize(handle, HPDF_PAGE_SIZE_A4, HPDF_PAGE_PORTRAIT)
    let page = HaruPage(handle: handle)
    pages.append(page)
    return page
  }

  /// Adds a JPEG, whose bytes wait on the disk.
  package func image(jpeg: [UInt8]) throws(PDFError) -> HPDF_Image {
    guard let image = HPDF_LoadJpegImageFromMem(document, jpeg, HPDF_UINT(jpeg.count)) else {
      throw .library(step: "picture", status: UInt(HPDF_GetError(document)), detail: 0)
    }
    try replaceStream(of: image, with: jpeg)
    return image
  }

  /// Gives a libharu object a stream of bytes that wait on the disk. If the disk does not take the
  /// bytes, the object keeps its old stream, since libharu frees whatever stream it finds there.
  func replaceStream(of object: HPDF_Dict, with bytes: [UInt8]) throws(PDFError) {
    let stream = try spill.stream(of: bytes, document.pointee.mmgr)
    HPDF_Stream_Free(object.pointee.stream)
    object.pointee.stream = stream
  }

  /// Returns a see-through ink of an opacity from 0 to 1; each is made once and used often.
  package func ink(opacity: Double) throws(PDFError) -> SeeThroughInk {
    if let known = inks[opacity] { return known }
    guard let state = HPDF_CreateExtGState(document) else {
      throw .library(step: "map", status: UInt(HPDF_GetError(document)), detail: 0)
    }
    HPDF_ExtGState_SetAlphaFill(state, HPDF_REAL(opacity))
    inks[opacity] = state
    return state
  }

  /// Adds an entry to the reader's table of contents, below `parent` or, without one, at the top
  /// level.
  @discardableResult
  package func bookmark(
    _ title: String, at page: HaruPage, below parent: HPDF_Outline? = nil
  ) -> HPDF_Outline? {
    let text = regular.elided(title, size: 10, width: 900)
    let entry = HPDF_CreateOutline(document, parent, text, outlineEncoder)
    HPDF_Outline_SetDestination(entry, HPDF_Page_CreateDestination(page.handle))
    return entry
  }

  /// Sets the document's properties, which readers show.
  package func describe(
    title: String, author: String, subject: String, creator: String, language: String,
    made: DeviceTime
  ) {
    let attributes = [
      (HPDF_INFO_TITLE, title), (HPDF_INFO_AUTHOR, author), (HPDF_INFO_SUBJECT, subject),
      (HPDF_INFO_CREATOR, creator),
    ]
    for (attribute, text) in attributes {
      HPDF_SetInfoAttr(document, attribute, regular.elided(text, size: 1, width: 200))
    }
    if let date = Self.date(made) {
      HPDF_SetInfoDateAttr(document, HPDF_INFO_CREATION_DATE, date)
      HPDF_SetInfoDateAttr(document, HPDF_INFO_MOD_DATE, date)
    }
    // libharu has no call for the language, but its catalogue is an ordinary dictionary.
    HPDF_Dict_Add(
      document.pointee.catalog, "Lang", HPDF_String_New(document.pointee.mmgr, language, nil))
  }

  /// Converts a time to libharu's date; nil for years that a PDF cannot write.
  private static func date(_ time: DeviceTime) -> HPDF_Date? {
    let (year, month, day) = time.date.components
    guard (1...9999).contains(year) else { return nil }
    let seconds = time.gnssTime.millisecondsSinceMidnight / 1000
    return HPDF_Date(
      year: HPDF_INT(year), month: HPDF_INT(month), day: HPDF_INT(day),
      hour: HPDF_INT(seconds / 3600), minutes: HPDF_INT(seconds / 60 % 60),
      seconds: HPDF_INT(seconds % 60), ind: CChar(bitPattern: UInt8(ascii: "+")), off_hour: 0,
      off_minutes: 0)
  }

  // MARK: file

  /// Writes the document to a temporary file next to the target. The file gets the target's name
  /// only when all is well, so that no program ever reads half of a document.
  /// - Returns: the temporary file's path.
  /// - Throws: `PDFError.notWritten` or `PDFError.library`.
  package func write(beside path: String) throws(PDFError) -> String {
    try Self.requireReplaceable(path)
    let part = ScratchName.beside(path, ending: "pdf")
    // libharu sets the version to 1.4 at the first see-through ink, and has no call to set the
    // version.
    document.pointee.pdf_version = HPDF_VER_17
    do throws(PDFError) {
      // libharu would create the file readable for all users of the machine, but the document tells
      // where people were and what they saw.
      let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw .notWritten(path: path, reason: Self.words(errno)) }
      close(file)
      guard HPDF_SaveToFile(document, part) == HPDF_STATUS(HPDF_OK) else {
        let status = HPDF_GetError(document)
        let detail = HPDF_GetErrorDetail(document)
        if status == HPDF_STATUS(HPDF_FILE_OPEN_ERROR) {
          throw .notWritten(path: path, reason: Self.words(Int32(truncatingIfNeeded: detail)))
        }
        // When compressing fails, the status says only that, and the detail says that writing
        // failed.
        if [status, detail].contains(HPDF_STATUS(HPDF_FILE_IO_ERROR)) {
          throw .notWritten(path: path, reason: Self.notTaken)
        }
        throw .library(step: "save", status: UInt(status), detail: UInt(detail))
      }
      try Self.finish(part, for: path)
    } catch {
      unlink(part)
      throw error
    }
    return part
  }

  /// Gives a document that is whole its name.
  /// - Throws: `PDFError.notWritten`.
  package static func put(_ part: String, at path: String) throws(PDFError) {
    guard rename(part, path) == 0 else { throw .notWritten(path: path, reason: words(errno)) }
  }

  /// Checks that the target may be replaced: a rename would replace anything, but a device or a
  /// folder is not meant to be replaced.
  /// - Throws: `PDFError.notWritten` if something else than an ordinary file is there.
  static func requireReplaceable(_ path: String) throws(PDFError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw .notWritten(path: path, reason: "it is there already and is not an ordinary file")
  }

  /// Checks that the file is whole and durable. libharu ignores the result of closing the file;
  /// after a full disk the file's end is missing.
  /// - Throws: `PDFError.notWritten`.
  private static func finish(_ part: String, for path: String) throws(PDFError) {
    let file = open(part, O_RDONLY)
    guard file >= 0 else { throw .notWritten(path: path, reason: words(errno)) }
    defer { close(file) }
    let mark = Array("%%EOF".utf8)
    var end = [UInt8](repeating: 0, count: 16)
    let start = lseek(file, 0, SEEK_END) - Int(end.count)
    let count = start < 0 ? -1 : pread(file, &end, end.count, start)
    guard count == end.count, end.indices.contains(where: { end[$0...].starts(with: mark) }) else {
      throw .notWritten(path: path, reason: notTaken)
    }
    guard fsync(file) == 0 else { throw .notWritten(path: path, reason: words(errno)) }
  }

  static let notTaken = "the disk did not take all of it; make room, and export again"

  static func words(_ number: Int32) -> String { String(cString: strerror(number)) }
}
