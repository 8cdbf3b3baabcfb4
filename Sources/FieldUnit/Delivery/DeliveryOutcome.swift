import Evidence
import Foundation
import Inspection
import Store
import Sync
import TimeAndText

/// The outcome of a conversation with the office.
public struct DeliveryOutcome: Hashable, Sendable {
  /// The number of entries of the outbox that a matching receipt turned to delivered.
  public var delivered = 0
  /// The number of entries that still wait.
  public var waiting = 0
  /// The number of entries that the office refused, or whose file cannot be read.
  public var failed = 0
  /// Bytes of messages and files that were sent.
  public var bytesSent = 0
  /// The number of tasks that are new on this device.
  public var newTasks = 0
  /// The number of known tasks that the office had changed.
  public var changedTasks = 0
  /// The reason why the policy that came with the tasks was not accepted; nil if it was, or if none
  /// came.
  public var policyProblem: SyncError?
  /// The first refusal of the office; nil if nothing was refused.
  public var refusal: DeliveryError?
  /// The number of photos whose bytes have left the device by the removal rule.
  public var removed = 0
  /// The result of comparing both sides; nil if they were not compared this time.
  public var reconciliation: Reconciliation?

  /// Creates the outcome of a conversation in which nothing has happened yet.
  public init() {}
}
