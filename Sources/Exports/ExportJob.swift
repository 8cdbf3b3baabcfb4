import Evidence
import Inspection
import PDFWriting
import Positioning
import TimeAndText

/// The file operations that the field unit or the office gives an export: this module itself reads
/// and writes no file.
public struct ExportFiles {
  /// Returns the path of a photo's own file; nil if the file is not at hand.
  public var photo: (Photo) throws -> String?
  /// Returns the path of a small picture of a photo, which is made now if necessary; nil if none
  /// can be made.
  public var thumbnail: (Photo) throws -> String?
  /// Reads a file's bytes.
  public var read: (_ path: String) throws -> [UInt8]
  /// Writes a file piece by piece. The file gets its name when it is whole and durable, and does
  /// not exist otherwise.
  public var write:
    (_ path: String, _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void) throws -> Void
  /// Makes a GeoPackage, which likewise gets its name when it is whole and durable.
  public var geoPackage:
    (_ path: String, _ body: (any GeoPackageSink) throws -> Void) throws -> Void
  /// Deletes a file that may be gone already.
  public var remove: (_ path: String) -> Void

  /// Creates the file operations.
  public init(
    photo: @escaping (Photo) throws -> String?, thumbnail: @escaping (Photo) throws -> String?,
    read: @escaping (_ path: String) throws -> [UInt8],
    write:
      @escaping (
        _ path: String, _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
      ) throws -> Void,
    geoPackage:
      @escaping (
        _ path: String, _ body: (any GeoPackageSink) throws -> Void
      ) throws -> Void, remove: @escaping (_ path: String) -> Void
  ) {
    (self.photo, self.thumbnail, self.read) = (photo, thumbnail, read)
    (self.write, self.geoPackage, self.remove) = (write, geoPackage, remove)
  }
}

/// An export to a file.
public struct ExportJob {
  private let source: any ExportSource
  private let format: ExportFormat
  private let options: ExportOptions
  private let language: DocumentLanguage
  private let files: ExportFiles
  private let made: DeviceTime

  /// Creates an export of a source.
  /// - Parameters:
  ///   - language: the language of words for people, which only KML and KMZ have.
  ///   - made: the time at which files say that they were made, if their format needs such a time.
  public init(
    _ source: any ExportSource, as format: ExportFormat, options: ExportOptions,
    language: DocumentLanguage = .english, files: ExportFiles, made: DeviceTime
  ) {
    (self.source, self.format, self.options) = (source, format, options)
    (self.language, self.files, self.made) = (language, files, made)
  }

  /// Writes the export to a file, which gets its name when it is whole, or does not exist at all.
  public func write(toFile path: String) throws {
    switch format {
    case .kmz: try writeKMZ(path)
    case .gpkg:
      try files.geoPackage(path) { sink in
        try GeoPackageDocument.write(
          source, pictures: options.pictures,
          media: { photo, kind in
            let file = try kind == "photo" ? files.photo(photo) : files.thumbnail(photo)
            return try file.map { try files.read($0) }
          }, to: sink)
      }
    case .kml, .gpx, .geojson, .csv: try files.write(path) { try stream(to: $0) }
    }
  }

  /// Passes `sink` the pieces of a format that is written from its beginning to its end. Of a KMZ
  /// these are the pieces of its document alone; a GeoPackage is written by `write(toFile:)` and
  /// never comes here.
  /// - Parameter pictures: returns the paths of a photo's pictures next to the document; nil if
  ///   there are no pictures at all.
  private func stream(
    pictures: ((ExportedPhoto) throws -> PictureLinks)? = nil,
    to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    switch format {
    case .kml, .kmz, .gpkg:
      try KMLDocument.write(
        source, options: .init(pointFeatures: options.pointFeatures), language: language,
        pictures: pictures, to: sink)
    case .gpx: try GPXDocument.write(source, pointFeatures: options.pointFeatures, to: sink)
    case .geojson:
      try GeoJSONDocument.write(source, pointFeatures: options.pointFeatures, to: sink)
    case .csv: try CSVDocument.write(options.rows, of: source, to: sink)
    }
  }

  /// Writes a KMZ: first the document, since readers of KMZ look for it there, then the pictures
  /// that the document links to, and no others. All content to be packed is on the disk; only the
  /// names are in memory.
  private func writeKMZ(_ path: String) throws {
    let document = ScratchName.beside(path, ending: "kml")
    defer { files.remove(document) }
    var entries = [Evidence.Bundle.Entry(path: "doc.kml", content: .file(path: document))]
    func links(of exported: ExportedPhoto) throws -> PictureLinks {
      let photo = exported.photo
      var links = PictureLinks()
      guard exported.hasFile else { return links }
      func take(_ file: String?, as name: String) -> String? {
        guard let file else { return nil }
        entries.append(.init(path: name, content: .file(path: file)))
        return name
      }
      if options.pictures == .all {
        links.photo = take(try files.photo(photo), as: "photos/\(photo.id).jpg")
      }
      links.thumbnail = take(try files.thumbnail(photo), as: "thumbnails/\(photo.id).jpg")
      return links
    }
    try files.write(document) { sink in
      if options.pictures == .none {
        try stream(to: sink)
      } else {
        try stream(pictures: links, to: sink)
      }
    }
    try ZipFile.write(entries, made: made, toFile: path)
  }
}
