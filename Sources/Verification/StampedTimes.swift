import Evidence
import TimeAndText
import Timestamps

/// The timestamps among some files, and who stands behind each. They are read before anything else is checked,
/// because the library for certificates works asynchronously.
public struct StampedTimes: Sendable {
  /// A timestamp that could be read.
  struct Stamp: Sendable {
    var stamp: Timestamp
    var standing: TimeAuthorities.Standing
  }

  /// True if the caller trusts any time authority.
  let hasTrust: Bool
  private var stamps: [String: Result<Stamp, TimestampProblem>] = [:]

  /// No timestamps.
  public init() { hasTrust = false }

  /// Reads the timestamps of bundles.
  /// - Parameter trusted: the time authorities that the caller trusts.
  public init(in files: any EvidenceFiles, trusting trusted: TimeAuthorities) async {
    hasTrust = !trusted.isEmpty
    let all = files.paths.compactMap { path in
      BundleList.StampedPath(path).map { (path: path, parts: $0) }
    }
    for (path, parts) in all where parts.isStamp {
      do {
        let stamp = try Timestamp(reply: try files.bytes(of: path))
        let lists = all.filter { $0.parts.isRevocationList(of: parts) }.compactMap {
          try? RevocationList(der: try files.bytes(of: $0.path))
        }
        stamps[path] = .success(
          Stamp(stamp: stamp, standing: await trusted.standing(of: stamp, revocations: lists)))
      } catch let problem as TimestampProblem {
        stamps[path] = .failure(problem)
      } catch {
        // The list of the bundle's files says that it cannot be read.
      }
    }
  }

  /// The paths of all timestamps.
  var paths: [String] { stamps.keys.sorted() }

  /// Returns a timestamp.
  func stamp(at path: String) -> Result<Stamp, TimestampProblem>? { stamps[path] }
}
