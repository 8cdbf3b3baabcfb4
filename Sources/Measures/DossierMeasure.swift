import Evidence
import Exports
import Foundation
import Geodesy
import Inspection
import Office
import PDFWriting
import Positioning
import Store
import TimeAndText

/// Measures the time and memory that a task's PDF takes on this machine: for a made-up task with
/// photos whose pictures are in a folder.
public enum DossierMeasure {
  /// The result of a measurement.
  public struct Sample: Hashable, Sendable {
    /// The number of photos in the PDF.
    public var photos: Int
    /// The seconds from the pictures' names to the finished document, without the time for the
    /// pictures' digests.
    public var seconds: Double
    /// The size of all volumes together, bytes.
    public var bytes: Int
    /// The paths of the volumes.
    public var volumes: [String]
    /// The most memory that this process has had at any time, bytes.
    public var residentBytes: Int
  }

  /// Writes the PDF and measures it.
  /// - Parameters:
  ///   - folder: the folder with the pictures, each a JPEG called `….jpg`; the PDF is written there
  ///     as `dossier.pdf`.
  ///   - time: the time of the made-up photos and of the document.
  /// - Throws: `StoreError`, `PDFError`; `OfficeRefusal` if there is no picture or no typeface.
  public static func run(folder: URL, at time: DeviceTime) throws -> Sample {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".jpg") }.sorted()
    guard !names.isEmpty else {
      throw OfficeRefusal(.ruleForbids, "there is no picture in \(folder.path)")
    }
    guard let fonts = PDFFonts.installed() else {
      throw OfficeRefusal(
        .exportImpossible, "the typeface DejaVu is not installed: apt install fonts-dejavu-core")
    }
    let parts = try names.enumerated().map { index, name in
      let path = folder.appendingPathComponent(name).path
      return Dossier.PhotoPart(
        photo: try photo(index, digest: Digest.hexadecimal(file: path) ?? "", at: time),
        jpeg: { try DurableFile.read(path) }, verdict: .intact, findings: [],
        checks: (1...6).map {
          Dossier.Check(name: "Made-up check \($0)", value: "holds, 1.\($0) m", isGood: true)
        })
    }
    let task = InspectionTask(
      id: Identifier(at: time), agency: "measure", inspector: "measure",
      name: "A measured task", created: time)
    let dossier = Dossier(
      task: task, agencyTitle: "Measure", inspectorName: nil, photos: parts, tracks: [],
      isDemonstration: true, made: time, software: "standpoint", authorityFingerprint: nil)
    let target = folder.appendingPathComponent("dossier.pdf").path
    var volumes: [String] = []
    let elapsed = try ContinuousClock().measure {
      volumes = try PDFDocument.write(dossier, fonts: fonts, toFile: target)
    }
    let sizes = try volumes.map {
      try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int ?? 0
    }
    return Sample(
      photos: names.count, seconds: elapsed / .seconds(1), bytes: sizes.reduce(0, +),
      volumes: volumes, residentBytes: mostResidentBytes)
  }

  /// Makes a photo. The photos are in rows 0.0003° apart, and each looks in another direction.
  private static func photo(_ index: Int, digest: String, at time: DeviceTime) throws -> Photo {
    let moment = time.advanced(bySeconds: Double(index) * 30)
    guard
      let place = Coordinate(
        latitudeDegrees: 49.08 + Double(index % 25) * 2e-4,
        longitudeDegrees: 16.63 + Double(index / 25) * 3e-4)
    else { throw OfficeRefusal(.ruleForbids, "too many pictures") }
    return Photo(
      id: Identifier(at: moment), agency: "measure", inspector: "measure", task: nil,
      origin: .camera, gnssTime: moment.gnssTime, deviceTime: moment,
      position: PhotoPosition(
        kept: place, ellipsoidalHeightMetres: 276.1, meanSeaLevelHeightMetres: 231.5,
        uncertaintyMetres95: 1.8, method: .fix), standpoint: nil,
      orientation: Orientation(
        azimuthDegreesTrue: Double(index * 37 % 360), elevationDegrees: -4, rollDegrees: 0,
        source: .stated), camera: .assumed(widthPixels: 4000, heightPixels: 3000),
      fileDigest: digest, bytes: 0, widthPixels: 4000, heightPixels: 3000, isSimulated: true)
  }

  private static var mostResidentBytes: Int {
    var usage = rusage()
    guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
    return usage.ru_maxrss * 1024
  }
}
