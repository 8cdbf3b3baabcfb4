import FieldUnit
import Foundation
import Guide
import Inspection
import Matching
import Store
import Web

/// Compares the live picture with an earlier photo, for the page's script. The shutter never waits
/// for it.
struct MatchPages: FieldPage {
  let server: FieldServer
  let matcher: PictureMatcher
  let help = GuidePart.camera

  /// The largest live picture, bytes. The page sends 800 pixels.
  private static let liveBytesAtMost = 4 << 20

  func add(to routes: inout Routes) {
    for asset in [RepeatScript.frame, RepeatScript.match, RepeatScript.asset] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    routes.post("/camera/match") { request in
      try await reading(request) { reader in
        .json([UInt8](try JSONEncoder().encode(try await answer(to: request, reader))))
      }
    }
  }

  /// The answer to one live picture.
  private struct Answer: Encodable {
    /// The outcomes of a comparison.
    enum State: String, Encodable {
      /// The two pictures share enough: `rows` says how they lie to each other.
      case matched
      /// They share too little.
      case unlike
      /// One of them cannot be read, or the comparison was ended.
      case failed
      /// This device cannot compare pictures.
      case unavailable
    }

    var state: State
    /// The number of features that agree.
    var inliers = 0
    /// The map from the earlier picture to the live one, both as squares of 1 × 1, row by row.
    var rows: [Double]?
    /// The displacement, per cent of the frame.
    var displacementPercent: Double?
  }

  /// Returns the earlier picture that the page compares with: of a photo, or of a photo point.
  private func earlier(_ reader: Reader) throws -> (digest: String, path: String) {
    if let name = reader.request.query["point"] {
      let point = try reader.unit.points.point(named: name)
      guard let path = try server.points.path(of: .reference, point, on: reader.unit) else {
        throw StoreError.unknown(what: "photo", id: "of this photo point")
      }
      return (point.reference.digest, path)
    }
    let photo = try reader.unit.photo(
      try InspectorUnit.identifier(reader.request.query["photo"] ?? ""))
    return (photo.fileDigest, reader.unit.path(ofPhoto: photo.id))
  }

  private func answer(to request: WebRequest, _ reader: Reader) async throws -> Answer {
    let (digest, path) = try earlier(reader)
    let live = try await request.bytes(limit: Self.liveBytesAtMost)
    do {
      let earlier = PictureMatcher.Earlier(
        digest: digest, bytes: try DurableFile.read(path))
      let comparison = try await matcher.compare(earlier, with: live)
      guard case .matched(let inliers, let homography) = comparison else {
        return Answer(state: .unlike, inliers: comparison.inliers)
      }
      return Answer(
        state: .matched, inliers: inliers, rows: homography.rows,
        displacementPercent: comparison.displacementPercent)
    } catch let error as MatchingError {
      if case .unavailable(let reason) = error {
        server.log.note("pictures cannot be compared: \(reason)")
        return Answer(state: .unavailable)
      }
      return Answer(state: .failed)
    }
  }
}

/// The scripts that lead back to an earlier picture.
enum RepeatScript {
  /// The mathematics of `NavigationRectangle`.
  static let frame = Asset(file: "/assets/camera-frame.js", [PackageResources.frame_js])
  /// The comparison of the live picture, once a second.
  static let match = Asset(file: "/assets/camera-match.js", [PackageResources.match_js])
  /// The ghost, the frame and its words.
  static let asset = Asset(
    file: "/assets/camera-repeat.js", [PackageResources.repeat_js],
    linking: [frame, PoseScript.asset])
}
