import CPKCS11
import Evidence
import Foundation
import Glibc
import Synchronization
import TimeAndText

/// The process in which a token's module runs. A module is somebody else's program: if it crashes, hangs
/// or takes all memory, only this process ends.
///
/// It reads one JSON value from standard input, does what it asks, writes one to standard output, and
/// ends. The PIN never passes through here: the worker reads its file itself.
public enum TokenWorker {
  /// The command of our program that runs the worker.
  public static let command = "token-worker"
  /// The time that a token has for an answer, seconds. A TPM takes one or two. A photo is sealed under a
  /// lock for which others wait 10 s, so it is less than that.
  static let patienceSeconds = 8
  /// The longest question and answer, bytes.
  static let longest = 16_384

  // MARK: in the worker

  /// Answers the question on standard input.
  public static func run() {
    // Nothing of the process's memory is written when the module crashes: it would hold the PIN.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    _ = hide_memory()
    var question: [UInt8] = []
    while question.count <= longest,
      let more = try? FileHandle.standardInput.read(upToCount: longest), !more.isEmpty
    {
      question += more
    }
    // A module may print: only our answer goes to the pipe.
    let pipe = dup(1)
    dup2(2, 1)
    var session: TokenSession?
    let bytes = answer(to: question, &session).canonicalBytes + [0x0A]
    _ = bytes.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
    // The module cleans up only now: if it hangs or crashes then, the answer is there.
    session = nil
    _exit(0)
  }

  /// Returns the answer to a question; the module runs in this process.
  static func answer(to question: [UInt8]) -> JSONValue {
    var session: TokenSession?
    return answer(to: question, &session)
  }

  /// - Parameter held: the session afterwards; its end is the module's end.
  private static func answer(to question: [UInt8], _ held: inout TokenSession?) -> JSONValue {
    do {
      let asked = try JSONValue(parsing: question)
      if let connection = asked["tpm"]?.text {
        guard TPMAddress.isAllowed(connection) else {
          throw TokenError.nonsense("the question cannot be read")
        }
        return try TPMSession.answer(to: asked, connection)
      }
      guard let uri = try asked["uri"]?.text.map(TokenURI.init), let id = uri.id else {
        throw TokenError.malformedURI("it names no key")
      }
      let session = try TokenSession(uri)
      held = session
      if let digest = asked["digest"]?.text.flatMap(Base64URL.bytes) {
        let signature = try session.sign(digest, id: id)
        return .object(["signature": .string(Base64URL.text(signature))])
      }
      if asked["looks"] != nil { return .object(["token": session.description.json]) }
      let key = try session.makeKey(id: id)
      return .object(["key": key.jwk, "token": session.description.json])
    } catch let error as TokenError {
      return error.json
    } catch {
      return TokenError.nonsense("the question cannot be read").json
    }
  }

  // MARK: in our program

  /// Opens a token with its PIN, and returns what it says of itself.
  /// - Throws: `TokenError`.
  static func describe(_ uri: TokenURI, _ program: String) throws(TokenError) -> TokenDescription {
    var uri = uri
    uri.id = [0]
    let answer = try ask(uri, ["looks": .bool(true)], of: program)
    guard let token = TokenDescription(answer["token"]) else {
      throw .nonsense("it tells no token")
    }
    return token
  }

  /// Opens a TPM, and returns what it says of itself.
  /// - Throws: `TokenError`.
  static func describe(
    _ address: TPMAddress, _ program: String
  ) throws(TokenError) -> TokenDescription {
    let question = JSONValue.object([
      "tpm": .string(address.connection), "want": .string("look"),
    ])
    guard let token = TokenDescription(try ask(question, of: program)["token"]) else {
      throw .nonsense("it tells nothing of itself")
    }
    return token
  }

  /// Forgets which PINs were refused: a person tries again.
  static func forgetRefusals() { refused.withLock { $0 = [] } }

  /// Files with PINs that a token has refused, as they were then.
  private static let refused = Mutex<Set<String>>([])

  /// Asks a worker about a token, and waits for its answer. A PIN that was refused is not tried again
  /// until its file has changed: tokens lock themselves.
  /// - Parameter program: the program to run; it has the command `token-worker`.
  /// - Throws: `TokenError`.
  static func ask(
    _ uri: TokenURI, _ members: [String: JSONValue], of program: String
  ) throws(TokenError) -> JSONValue {
    let mark = uri.pinSource.flatMap(TokenPIN.mark).map {
      "\(uri.modulePath) \(uri.token ?? "") \(uri.serial ?? "") \($0)"
    }
    if let mark, refused.withLock({ $0.contains(mark) }) { throw .wrongPIN }
    var question = members
    question["uri"] = .string(uri.text)
    do throws(TokenError) {
      return try ask(.object(question), of: program)
    } catch {
      if error == .wrongPIN, let mark { _ = refused.withLock { $0.insert(mark) } }
      throw error
    }
  }

  /// Asks a worker, and waits for its answer.
  /// - Throws: `TokenError`.
  static func ask(
    _ question: JSONValue, of program: String, patienceSeconds: Int = patienceSeconds
  ) throws(TokenError) -> JSONValue {
    var worker = try WorkerProcess(program, command)
    let bytes = worker.answer(
      to: question.canonicalBytes, longest: longest, patienceSeconds: patienceSeconds)
    switch worker.end(hasAnswered: bytes.last == 0x0A) {
    case .late: throw .slow(seconds: patienceSeconds)
    case .failed: throw .crashed
    case .ended: break
    }
    guard let answer = try? JSONValue(parsing: bytes.last == 0x0A ? bytes.dropLast() : bytes) else {
      throw .nonsense("it is no JSON")
    }
    if let error = TokenError(json: answer) { throw error }
    return answer
  }
}
