/// Limits how often each client may send requests: a bucket that fills steadily and from which each
/// request takes one. A program that repeats itself without a pause is told when to come back;
/// ordinary work stays below the limit.
public struct RequestLimiter: Sendable {
  private struct Bucket {
    var left: Double
    var filled: Double
  }

  /// The number of requests that come back to a bucket each second.
  public let perSecond: Double
  /// The size of a bucket: the number of requests that may come at once.
  public let burst: Double
  private var buckets: [String: Bucket] = [:]

  /// The number of buckets from which on full ones are forgotten.
  private static let sizeLimit = 10_000

  /// Creates a limiter whose buckets are all full.
  public init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
  }

  /// Takes one request from a bucket.
  /// - Parameter seconds: the elapsed time in seconds.
  /// - Returns: nil if the request may go on; otherwise the seconds until it may.
  public mutating func take(_ key: String, at seconds: Double) -> Double? {
    var bucket = filled(key, at: seconds)
    defer { buckets[key] = bucket }
    guard bucket.left >= 1 else { return (1 - bucket.left) / perSecond }
    bucket.left -= 1
    return nil
  }

  /// Takes `count` more after a request has gone on, even if fewer are left: the debt must be
  /// refilled first. A negative count gives back.
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

  /// Returns true if a request may go on now; takes none.
  public func hasLeft(_ key: String, at seconds: Double) -> Bool {
    buckets[key].map { left($0, at: seconds) >= 1 } ?? (burst >= 1)
  }

  private func left(_ bucket: Bucket, at seconds: Double) -> Double {
    min(burst, bucket.left + max(0, seconds - bucket.filled) * perSecond)
  }
}
