import CHaru
import Evidence
import Foundation
import TimeAndText

extension HaruDocument {
  /// Embeds files in the document (PDF 32000-1, 7.11.4), each with its digest and description.
  ///
  /// libharu's own `HPDF_AttachFile` reads a file from the disk and names it by its whole path.
  /// This function makes the same objects from bytes, with a name of our choice.
  package func attach(_ attachments: [PDFAttachment], made: DeviceTime) throws(PDFError) {
    guard !attachments.isEmpty else { return }
    let memory = document.pointee.mmgr
    guard let names = HPDF_Array_New(memory), let tree = HPDF_Dict_New(memory),
      let root = HPDF_Dict_New(memory)
    else { throw .library(step: "attachments", status: UInt(HPDF_FAILD_TO_ALLOC_MEM), detail: 0) }
    // The names must be in their order, since readers look a name up by bisection.
    for attachment in attachments.sorted(by: {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }) {
      let name = Self.plainName(attachment.name)
      HPDF_Array_Add(names, HPDF_String_New(memory, name, nil))
      HPDF_Array_Add(names, try fileSpecification(of: attachment, name: name, made: made))
    }
    HPDF_Dict_Add(tree, "Names", names)
    HPDF_Dict_Add(root, "EmbeddedFiles", tree)
    HPDF_Dict_Add(document.pointee.catalog, "Names", root)
    try check(step: "attachments")
  }

  private func fileSpecification(
    of attachment: PDFAttachment, name: String, made: DeviceTime
  ) throws(PDFError) -> HPDF_Dict {
    let memory = document.pointee.mmgr
    guard let stream = HPDF_DictStream_New(memory, document.pointee.xref),
      let specification = HPDF_Dict_New(memory), let files = HPDF_Dict_New(memory),
      let parameters = HPDF_Dict_New(memory)
    else { throw .library(step: "attachments", status: UInt(HPDF_FAILD_TO_ALLOC_MEM), detail: 0) }
    HPDF_Xref_Add(document.pointee.xref, specification)
    try replaceStream(of: stream, with: attachment.bytes)
    stream.pointee.filter = HPDF_UINT(HPDF_STREAM_FILTER_FLATE_DECODE)
    HPDF_Dict_AddName(stream, "Type", "EmbeddedFile")
    HPDF_Dict_AddName(stream, "Subtype", attachment.mediaType)
    HPDF_Dict_AddNumber(parameters, "Size", HPDF_INT32(truncatingIfNeeded: attachment.bytes.count))
    HPDF_Dict_Add(parameters, "ModDate", HPDF_String_New(memory, Self.dateText(made), nil))
    HPDF_Dict_Add(stream, "Params", parameters)
    HPDF_Dict_Add(files, "F", stream)
    HPDF_Dict_AddName(specification, "Type", "Filespec")
    HPDF_Dict_Add(specification, "F", HPDF_String_New(memory, name, nil))
    HPDF_Dict_Add(specification, "UF", HPDF_String_New(memory, name, nil))
    let words = "\(Self.plainName(attachment.meaning)); SHA-256 \(attachment.digest)"
    HPDF_Dict_Add(specification, "Desc", HPDF_String_New(memory, words, nil))
    HPDF_Dict_Add(specification, "EF", files)
    return specification
  }

  /// Returns a name of at most 120 characters, with `_` for everything that is not printable ASCII
  /// or is unsafe in a file's name: only ASCII means the same in every reader, and a slash would
  /// make a folder.
  package static func plainName(_ name: String) -> String {
    String(
      name.unicodeScalars.prefix(120).map { scalar in
        let isPlain =
          (0x20...0x7E).contains(scalar.value) && !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
        return isPlain ? Character(scalar) : "_"
      })
  }

  private static func dateText(_ time: DeviceTime) -> String {
    let digits = "\(time.date.iso8601)\(time.gnssTime.timeOfDay.prefix(8))".filter(\.isNumber)
    return "D:\(digits)+00'00'"
  }
}
