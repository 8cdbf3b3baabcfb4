import Evidence
import Inspection
import Positioning

/// What a side gives an export to work with: this module reads and writes no file itself.
public struct ExportFiles {
  /// Where a photo's own file lies; nil where it is not at hand.
  public var photo: (Photo) throws -> String?
  /// Where a small picture of it lies, made now if it has to be; nil where none can be.
  public var thumbnail: (Photo) throws -> String?
  /// A file's bytes.
  public var read: (_ path: String) throws -> [UInt8]
  /// Writes a file piece by piece: it has its name when it is whole and durable, and is not there otherwise.
  public var write:
    (_ path: String, _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void) throws -> Void
  /// Makes a GeoPackage, in the same way.
  public var geoPackage:
    (_ path: String, _ body: (any GeoPackageSink) throws -> Void) throws -> Void
  /// Takes a file away that may be gone already.
  public var remove: (_ path: String) -> Void

  /// What a side gives.
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

/// One export, to a file or to whoever takes the pieces.
public struct ExportJob {
  private let source: any ExportSource
  private let format: ExportFormat
  private let options: ExportOptions
  private let files: ExportFiles
  private let made: DeviceTime

  /// An export of a source.
  /// - Parameter made: the time that files say they were made at, where their format has to say one.
  public init(
    _ source: any ExportSource, as format: ExportFormat, options: ExportOptions,
    files: ExportFiles, made: DeviceTime
  ) {
    (self.source, self.format, self.options) = (source, format, options)
    (self.files, self.made) = (files, made)
  }

  /// Writes it as a file, which is there under its name when it is whole, or not at all.
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

  /// Hands on the pieces of a format that is made from its beginning to its end; of a KMZ or a GeoPackage
  /// those of its document alone, so `write(toFile:)` is for them.
  /// - Parameter pictures: where a photo's pictures lie beside the document; nil where there are none at all.
  private func stream(
    pictures: ((ExportedPhoto) throws -> PictureLinks)? = nil,
    to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    switch format {
    case .kml, .kmz, .gpkg:
      try KMLDocument.write(
        source, options: .init(pointFeatures: options.pointFeatures), pictures: pictures, to: sink)
    case .gpx: try GPXDocument.write(source, pointFeatures: options.pointFeatures, to: sink)
    case .geojson:
      try GeoJSONDocument.write(source, pointFeatures: options.pointFeatures, to: sink)
    case .csv: try CSVDocument.write(options.rows, of: source, to: sink)
    }
  }

  /// The document first, as readers of KMZ look for it, then the pictures that it has found: it links to no
  /// other. What is packed lies on the disk: only names are in memory.
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
