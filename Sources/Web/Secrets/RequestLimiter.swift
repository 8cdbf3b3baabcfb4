/// How often somebody may ask: a bucket that fills steadily and from which each request takes one. A
/// program that repeats itself without a pause is told when to come back; nobody who works is.
public struct RequestLimiter: Sendable {
  private struct Bucket {
    var left: Double
    var filled: Double
  }

  /// How many requests come back in a second.
  public let perSecond: Double
  /// How many may come at once.
  public let burst: Double
  private var buckets: [String: Bucket] = [:]

  /// More of them than this are not kept apart: full ones are forgotten.
  private static let sizeLimit = 10_000

  /// A limiter.
  public init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
  }

  /// Takes one.
  /// - Parameter seconds: elapsed time.
  /// - Returns: nil where it may go on; else in how many seconds it may.
  public mutating func take(_ key: String, at seconds: Double) -> Double? {
    var bucket = filled(key, at: seconds)
    defer { buckets[key] = bucket }
    guard bucket.left >= 1 else { return (1 - bucket.left) / perSecond }
    bucket.left -= 1
    return nil
  }

  /// Takes more behind what went on, also where less is left: what is owed then has to come back first. A negative
  /// number gives back.
  public mutating func charge(_ key: String, _ count: Double, at seconds: Double) {
    var bucket = filled(key, at: seconds)
    bucket.left = min(burst, bucket.left - count)
    buckets[key] = bucket
  }

  private mutating func filled(_ key: String, at seconds: Double) -> Bucket {
    if buckets.count >= Self.sizeLimit {
      buckets = buckets.filter { left($0.value, at: seconds) < burst }
    }
    var bucket = buckets[key] ?? Bucket(left: burst, filled: seconds)
    bucket.left = left(bucket, at: seconds)
    bucket.filled = seconds
    return bucket
  }

  /// Whether there is one to take; none is taken.
  public func hasLeft(_ key: String, at seconds: Double) -> Bool {
    buckets[key].map { left($0, at: seconds) >= 1 } ?? (burst >= 1)
  }

  private func left(_ bucket: Bucket, at seconds: Double) -> Double {
    min(burst, bucket.left + max(0, seconds - bucket.filled) * perSecond)
  }
}
