import Foundation
import Imagery
import Inspection
import Office
import Store
import TimeAndText

/// Measures how long it takes to find similar pictures among many: for `standpoint measure`.
public enum SimilarityMeasure {
  /// Fills a database of its own with made-up likenesses and a drawn picture, and looks for
  /// pictures like the drawn one.
  /// - Returns: the seconds for one picture, and for a delivery of twenty, without decoding; and
  ///   the number of pictures that are like the first one. Its own photo is not counted.
  public static func run(
    pictures: Int, folder: URL
  ) throws -> (oneSeconds: Double, twentySeconds: Double, found: Int) {
    let store = try OfficeStore(path: folder.appendingPathComponent("similar.sqlite").path)
    defer { try? store.close() }
    let agency = "measured"
    var random = SystemRandomNumberGenerator()
    let now = DeviceTime(millisecondsSince1970: 0)
    let probes = try (0..<20).map { seed in
      let jpeg = try DemonstrationPicture.jpeg(
        widthPixels: 320, heightPixels: 240, seed: UInt64(seed), captionLines: [])
      return (id: Identifier(at: now, using: &random), probe: try PictureProbe(jpeg: jpeg))
    }
    try store.write(in: agency) { (session: AgencySession) in
      var left = pictures - 1
      while left > 0 {
        let part = min(left, 4096)
        try session.checks.keep(
          likenesses: (0..<part).map { _ in
            (
              photo: Identifier(at: now, using: &random),
              bytes: (0..<PictureLikeness.byteCount).map { _ in UInt8.random(in: 0...255) }
            )
          })
        left -= part
      }
      if let probe = probes[0].probe {
        try session.checks.keep(likenesses: [(photo: probes[0].id, bytes: probe.likeness.bytes)])
      }
    }
    func seconds(_ count: Int) throws -> (Double, Int) {
      let began = ContinuousClock.now
      let found = try store.read(in: agency) { (session: AgencySession) in
        var similar = try SimilarPictures(
          Dictionary(uniqueKeysWithValues: probes.prefix(count).map { ($0.id, $0.probe) }),
          session)
        return similar.check(probes[0].id)[.others]
      }
      return ((ContinuousClock.now - began) / .seconds(1), Int(found ?? 0))
    }
    let one = try seconds(1)
    return (one.0, try seconds(20).0, one.1)
  }
}
