import Synchronization
import Web

/// The numbers that the office counts while it runs.
public final class OfficeCounters: Sendable {
  /// The figures of requests, counted by the executable.
  public let requests = RequestFigures()
  private let uploadedBytes = Atomic(0)
  private let deliveries = Atomic(0)

  /// Counts received bytes.
  func noteUploaded(bytes: Int) { uploadedBytes.wrappingAdd(bytes, ordering: .relaxed) }
  /// Counts a batch that got its receipt.
  package func noteDelivery() { deliveries.wrappingAdd(1, ordering: .relaxed) }

  /// The bytes of files that were received and kept since the start.
  package var uploaded: Int { uploadedBytes.load(ordering: .relaxed) }
  /// The number of batches that got their receipt since the start.
  package var delivered: Int { deliveries.load(ordering: .relaxed) }
}
