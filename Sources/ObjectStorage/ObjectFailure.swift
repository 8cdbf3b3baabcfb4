/// An object store that cannot be used as was asked, with the reason and what to do.
public struct ObjectFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure, for programs.
  public enum Kind: Hashable, Sendable {
    /// The address is malformed.
    case malformedAddress
    /// There are no credentials, or they are not kept safely.
    case noCredentials
    /// The store does not know the key, or does not accept what it signed.
    case refusedCredentials
    /// The credentials may not do this.
    case forbidden
    /// There is no such bucket.
    case noBucket
    /// The bucket is in another region.
    case otherRegion
    /// This machine's clock is too wrong for signatures to count.
    case wrongClock
    /// Something else than an object store answers.
    case notAStore
    /// The store has no room.
    case full
    /// The bytes of an object are not those that its key names.
    case otherBytes
    /// There is no such object, although there was.
    case lost
    /// Nobody answers, or not in time, or with errors each time.
    case unavailable
    /// The store refuses for another reason.
    case refused
  }

  /// The kind.
  public let kind: Kind
  /// The reason, for people; it never holds a credential.
  public let description: String

  /// An object that the store had once.
  public static let lost = ObjectFailure(.lost, "the object store has lost it")

  init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }
}
