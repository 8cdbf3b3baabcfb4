import Evidence
import Geodesy
import Inspection
import Store
import Sync

/// Keeps an agency's capture policies.
public protocol PolicyRecords {
  /// Reads the policy in force; nil before the first.
  func current() throws -> SignedPolicy?
  /// Reads one revision; nil if there is none of this number.
  func revision(_ revision: Int) throws -> SignedPolicy?
  /// Adds a revision.
  func insert(_ policy: SignedPolicy, by person: String) throws
  /// Reads the agency's usual reasons to return or decline a task, in its order.
  func returnReasons() throws -> [String]
  /// Replaces the agency's usual reasons.
  func setReturnReasons(_ reasons: [String]) throws
}

/// Keeps an agency's log.
public protocol LogRecords {
  /// Reads the newest entries, the newest first.
  func newest(limit: Int) throws -> [LogEntry]
  /// Reads entries before a number (nil: from the newest) that contain some words (nil: all).
  func page(
    before number: Int64?, containing words: String?, limit: Int
  ) throws -> [(number: Int64, entry: LogEntry)]
  /// Adds an entry, in the same transaction as the change that it tells.
  func add(_ entry: LogEntry) throws
}
