import Inspection
import Sync
import TimeAndText

/// A link to the office. HTTP implements it, and so does a test's transport that loses and repeats
/// messages.
public protocol OfficeLink: Sendable {
  /// The office's address, for people.
  var address: String { get }
  /// Asks the office for its software, its protocol version and its fingerprint.
  func office() async throws -> OfficeMessage
  /// Signs in.
  func signIn(_ request: SignInRequest) async throws -> SignInAnswer
  /// Asks for the challenge that is signed to renew a session.
  func challenge() async throws -> ChallengeMessage
  /// Renews a session with the device's key.
  func renew(_ request: RenewalMessage) async throws -> SignInAnswer
  /// Ends the session, and the sign-in.
  func signOut(token: String) async throws
  /// Returns the inspector's tasks that changed since a cursor; nil means from the beginning.
  /// - Parameter proved: the mark of the last proof that the device has; nil for none.
  func tasks(
    since cursor: String?, proved: String?, token: String
  ) async throws -> TaskListMessage
  /// Asks the office which records and files it holds.
  func held(_ question: HeldQuestion, token: String) async throws -> HeldAnswer
  /// Sends a batch's message.
  func send(batch id: Identifier, _ message: [UInt8], token: String) async throws -> BatchAnswer
  /// Sends a file's bytes as they are.
  /// - Parameter offset: the number of bytes that the office has said it has.
  /// - Parameter progress: called after each chunk with the number of the file's bytes that the
  ///   office has.
  /// - Returns: the number of bytes that were sent.
  func send(
    file path: String, digest: String, bytes: Int, from offset: Int, token: String,
    progress: @Sendable (_ bytes: Int) -> Void
  ) async throws -> Int
}

/// The reasons why a conversation with the office came to nothing. Everything stays queued in each
/// case.
public enum DeliveryError: Error, Hashable, Sendable, Worded {
  /// Nobody is signed in.
  case notSignedIn
  /// The address is malformed, or would carry a password in the clear.
  case malformedAddress(String, reason: Wording)
  /// Another program is delivering from this device.
  case underWay
  /// The file given as the office's TLS certificate holds no usable one.
  case unusablePin(reason: Wording)
  /// The office could not be reached.
  case unreachable(address: String, reason: Wording)
  /// The office's TLS certificate is not trusted here, or is for another name: nothing was sent.
  case untrusted(address: String, reason: Wording)
  /// The office, or a server in front of it, asks to come back later (Retry-After).
  case askedToWait(address: String, seconds: Double, reason: Wording)
  /// The office has no room for more files; it still takes records without files.
  case officeFull(address: String, seconds: Double, reason: Wording)
  /// The answer comes from something that is no office.
  case notAnOffice(address: String, reason: Wording)
  /// The office speaks an older version of the protocol.
  case olderOffice(address: String, software: String)
  /// The office's certification authority is not the one that was named or is known.
  case otherAuthority(address: String, found: String, expected: String)
  /// The office said no, with its stable code and its words.
  case refused(code: String, detail: Wording)
  /// A file that is to be sent cannot be read to its end.
  case fileGone(path: String)

  /// The stable code of the error, for programs.
  public var code: String {
    switch self {
    case .notSignedIn: "not-signed-in"
    case .malformedAddress: "office-address"
    case .underWay: "delivery-under-way"
    case .unusablePin: "tls-certificate"
    case .unreachable, .untrusted: "office-unreachable"
    case .askedToWait: "office-busy"
    case .officeFull: "office-full"
    case .notAnOffice: "not-an-office"
    case .olderOffice: "office-older"
    case .otherAuthority: "office-authority"
    case .refused(let code, _): code
    case .fileGone: "file-gone"
    }
  }

  /// True if signing in again solves the problem.
  public var asksForSignIn: Bool {
    switch self {
    case .notSignedIn: true
    case .refused(let code, _):
      ["session-missing", "session-expired", "sign-in-needed", "account-disabled"].contains(code)
    default: false
    }
  }

  /// True if only the session has ended, which the device's key can renew.
  var saysSessionEnded: Bool {
    if case .refused(let code, _) = self {
      return ["session-missing", "session-expired"].contains(code)
    }
    return false
  }

  /// True if the office has received other bytes than those that a file's digest names.
  var saysOtherBytes: Bool {
    if case .refused("file-mismatch", _) = self { true } else { false }
  }

  /// True if the error concerns one thing that was sent, so that the others may still go.
  var concernsOneThing: Bool {
    switch self {
    case .fileGone: true
    case .refused(let code, _):
      !asksForSignIn
        && ![
          "key-revoked", "role-forbidden", "challenge-stale", "enrolment-malformed",
          "too-many-uploads",
        ].contains(code)
    default: false
    }
  }

  /// The seconds that the office asked to wait; nil if it did not ask to wait.
  public var askedSeconds: Double? {
    switch self {
    case .askedToWait(_, let seconds, _), .officeFull(_, let seconds, _): seconds
    default: nil
    }
  }

  /// The message for people: what happened, and what to do next.
  public var wording: Wording {
    switch self {
    case .notSignedIn: "nobody is signed in: standpoint login --office URL --user LOGIN"
    case .malformedAddress(let address, let reason):
      "\(address) is not an office's address: \(reason)"
    case .underWay:
      "another program on this device is delivering: the outbox shows its progress"
    case .unusablePin(let reason):
      "the office's TLS certificate that you gave cannot be used: \(reason)"
    case .unreachable(let address, let reason), .untrusted(let address, let reason):
      "the office at \(address) could not be reached: \(reason). Everything stays queued"
    case .askedToWait(let address, let seconds, let reason):
      "the office at \(address) asks you to wait \(Int(min(max(seconds, 0), 86_400).rounded(.up))) s: \(reason)."
        + " Everything stays queued"
    case .officeFull(let address, let seconds, let reason):
      "the office at \(address) has no room for files: \(reason). They wait, and are tried again"
        + " after \(Int(min(max(seconds, 0), 86_400).rounded(.up))) s"
    case .notAnOffice(let address, let reason):
      "\(address) is not an office: \(reason). Check the address; a network with its own sign-in"
        + " page answers like this, too. Everything stays queued"
    case .olderOffice(let address, let software):
      "the office at \(address) (\(software)) is older than this field unit: ask its administrator"
        + " for an update. Everything stays queued"
    case .otherAuthority(let address, let found, let expected):
      "the office at \(address) has the fingerprint \(found), not \(expected): nothing was sent."
        + " Ask the office for its fingerprint"
    case .refused(_, let detail): "the office refuses: \(detail)"
    case .fileGone(let path): "\(path) cannot be read: its delivery waits. Restore it from a backup"
    }
  }
}
