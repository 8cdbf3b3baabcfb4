import Evidence
import TimeAndText
import Timestamps

/// The timestamps among some files, and who stands behind each. They are read before anything else is checked,
/// because the library for certificates works asynchronously.
public struct StampedTimes: Sendable {
  /// The most timestamps of one checkpoint, and the most revocation lists of one timestamp.
  private static let (stampsAtMost, listsAtMost) = (8, 4)

  /// A timestamp that could be read.
  struct Stamp: Sendable {
    var path: String
    var stamp: Timestamp
    var standing: TimeAuthorities.Standing
  }

  /// A stamped checkpoint with its files.
  struct Folder: Sendable {
    /// The path of the checkpoint.
    var checkpoint: String
    var stamps: [Stamp] = []
    /// The timestamps that could not be read.
    var faults: [(path: String, problem: TimestampProblem)] = []
    /// The paths of the timestamps that were not looked at, because there are too many.
    var rest: [String] = []
    /// The proofs, and the receipts whose deliveries they prove.
    var proofs: [(path: String, receipt: String)] = []
  }

  /// True if the caller trusts any time authority.
  let hasTrust: Bool
  /// The stamped checkpoints, in the order of their paths.
  private(set) var folders: [Folder] = []

  /// No timestamps.
  public init() { hasTrust = false }

  /// Reads the timestamps of bundles.
  /// - Parameter trusted: the time authorities that the caller trusts.
  public init(in files: any EvidenceFiles, trusting trusted: TimeAuthorities) async {
    hasTrust = !trusted.isEmpty
    let all = files.paths.sorted().compactMap { path in
      BundleList.StampedPath(path).map { (path: path, parts: $0) }
    }
    for (_, parts) in Dictionary(grouping: all, by: \.parts.folder).sorted(by: { $0.key < $1.key })
    {
      var folder = Folder(checkpoint: parts[0].parts.checkpoint)
      folder.proofs = parts.compactMap { part in
        part.parts.receipt.map { (path: part.path, receipt: $0) }
      }
      let stamps = parts.filter(\.parts.isStamp)
      folder.rest = stamps.dropFirst(Self.stampsAtMost).map(\.path)
      for (path, own) in stamps.prefix(Self.stampsAtMost) {
        let lists = parts.filter { $0.parts.isRevocationList(of: own) }.prefix(Self.listsAtMost)
        await folder.read(path, lists.map(\.path), files, trusted)
      }
      folders.append(folder)
    }
  }
}

extension StampedTimes.Folder {
  fileprivate mutating func read(
    _ path: String, _ lists: [String], _ files: any EvidenceFiles, _ trusted: TimeAuthorities
  ) async {
    do {
      let stamp = try Timestamp(reply: try files.bytes(of: path))
      let revocations = lists.compactMap { try? RevocationList(der: try files.bytes(of: $0)) }
      stamps.append(
        StampedTimes.Stamp(
          path: path, stamp: stamp,
          standing: await trusted.standing(of: stamp, revocations: revocations)))
    } catch let problem as TimestampProblem {
      faults.append((path, problem))
    } catch {
      // The list of the bundle's files says that it cannot be read.
    }
  }
}
