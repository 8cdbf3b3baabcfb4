import CHaru
import Foundation
import Imagery

extension HaruDocument {
  /// Returns a tile of a base map as a picture; nil if the tile is missing or is neither a JPEG nor
  /// a PNG that can be used. A tile that many maps show is in the document once.
  package func tile(
    _ place: [Int], _ bytes: () throws -> [UInt8]?
  ) throws(PDFError) -> HPDF_Image? {
    if let known = tiles[place] { return known }
    guard let bytes = try? bytes() else { return nil }
    let image: HPDF_Image?
    if let png = PNGTile(bytes) {
      image = try picture(of: png)
    } else if let jpeg = try? PixelBuffer(decoding: bytes, maximumSide: 512).encodeJPEG(quality: 85)
    {
      image = try self.image(jpeg: jpeg)
    } else {
      image = nil
    }
    tiles[place] = .some(image)
    return image
  }

  private func picture(of png: PNGTile) throws(PDFError) -> HPDF_Image {
    guard let image = HPDF_DictStream_New(document.pointee.mmgr, document.pointee.xref) else {
      throw .library(step: "base map", status: UInt(HPDF_FAILD_TO_ALLOC_MEM), detail: 0)
    }
    image.pointee.header.obj_class |= HPDF_UINT16(HPDF_OSUBCLASS_XOBJECT)
    try replaceStream(of: image, with: png.data)
    HPDF_Dict_AddName(image, "Type", "XObject")
    HPDF_Dict_AddName(image, "Subtype", "Image")
    HPDF_Dict_AddNumber(image, "Width", HPDF_INT32(png.width))
    HPDF_Dict_AddNumber(image, "Height", HPDF_INT32(png.height))
    HPDF_Dict_AddNumber(image, "BitsPerComponent", HPDF_INT32(png.bitsPerSample))
    switch png.colours {
    case .grey: HPDF_Dict_AddName(image, "ColorSpace", "DeviceGray")
    case .colour: HPDF_Dict_AddName(image, "ColorSpace", "DeviceRGB")
    case .palette(let palette): HPDF_Dict_Add(image, "ColorSpace", indexed(palette))
    case .greyWithTransparency:
      HPDF_Dict_Add(
        image, "ColorSpace",
        // Grey and cover, which is the opacity: grey × cover + (1 − cover).
        try inks(
          ["Grey", "Cover"], "DeviceGray", results: 1, "{ dup 3 1 roll mul exch 1 exch sub add }"))
    case .colourWithTransparency:
      // The formula of grey, for each colour in turn; the cover is dropped at the end.
      let one = "3 index mul 3 index 1 exch sub add 3 1 roll"
      HPDF_Dict_Add(
        image, "ColorSpace",
        try inks(
          ["Red", "Green", "Blue", "Cover"], "DeviceRGB", results: 3,
          "{ 4 1 roll \(one) \(one) \(one) 4 3 roll pop }"))
    }
    if let samples = png.maskedSamples {
      let mask = HPDF_Array_New(document.pointee.mmgr)
      for sample in samples {
        HPDF_Array_AddNumber(mask, HPDF_INT32(sample))
        HPDF_Array_AddNumber(mask, HPDF_INT32(sample))
      }
      HPDF_Dict_Add(image, "Mask", mask)
    }
    // The data are compressed already, and libharu removes a Filter entry that it has not set
    // itself: the entry is therefore added while libharu writes the picture's dictionary.
    let words =
      "/Filter /FlateDecode\n/DecodeParms << /Predictor 15 /Colors \(png.colours.samples)"
      + " /BitsPerComponent \(png.bitsPerSample) /Columns \(png.width) >>\n"
    image.pointee.attr = UnsafeMutableRawPointer(keep(words))
    image.pointee.write_fn = { image, stream in
      guard let words = image?.pointee.attr else { return HPDF_STATUS(HPDF_OK) }
      return HPDF_Stream_WriteStr(stream, words.assumingMemoryBound(to: CChar.self))
    }
    try check(step: "base map")
    return image
  }

  private func indexed(_ palette: [UInt8]) -> HPDF_Array? {
    let memory = document.pointee.mmgr
    let space = HPDF_Array_New(memory)
    HPDF_Array_AddName(space, "Indexed")
    HPDF_Array_AddName(space, "DeviceRGB")
    HPDF_Array_AddNumber(space, HPDF_INT32(palette.count / 3 - 1))
    var bytes = palette
    HPDF_Array_Add(space, HPDF_Binary_New(memory, &bytes, HPDF_UINT(bytes.count)))
    return space
  }

  /// Makes a colour space of inks that a small program converts to the paper's colours (PDF
  /// 32000-1, 8.6.6.5 and 7.10.5).
  private func inks(
    _ names: [String], _ base: String, results: Int, _ program: String
  ) throws(PDFError) -> HPDF_Array? {
    let memory = document.pointee.mmgr
    guard let function = HPDF_DictStream_New(memory, document.pointee.xref) else {
      throw .library(step: "base map", status: UInt(HPDF_FAILD_TO_ALLOC_MEM), detail: 0)
    }
    HPDF_Dict_AddNumber(function, "FunctionType", 4)
    HPDF_Dict_Add(function, "Domain", unitRanges(names.count))
    HPDF_Dict_Add(function, "Range", unitRanges(results))
    HPDF_Stream_WriteStr(function.pointee.stream, program)
    let list = HPDF_Array_New(memory)
    for name in names { HPDF_Array_AddName(list, name) }
    let space = HPDF_Array_New(memory)
    HPDF_Array_AddName(space, "DeviceN")
    HPDF_Array_Add(space, list)
    HPDF_Array_AddName(space, base)
    HPDF_Array_Add(space, function)
    return space
  }

  private func unitRanges(_ count: Int) -> HPDF_Array? {
    let ranges = HPDF_Array_New(document.pointee.mmgr)
    for _ in 0..<count {
      HPDF_Array_AddNumber(ranges, 0)
      HPDF_Array_AddNumber(ranges, 1)
    }
    return ranges
  }
}
