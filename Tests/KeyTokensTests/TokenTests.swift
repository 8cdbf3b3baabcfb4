import Crypto
import Foundation
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import KeyTokens

/// A token in software, made for these tests. All of them share one: the module reads its settings from
/// the process's environment.
private struct SoftToken {
  static let module = "/usr/lib/softhsm/libsofthsm2.so"
  static let isHere =
    FileManager.default.fileExists(atPath: module) && Program.tool("softhsm2-util") != nil

  static let made = Result { try SoftToken() }

  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "standpoint-token-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("tokens"), withIntermediateDirectories: true)
    let settings = folder.appendingPathComponent("softhsm2.conf")
    try "directories.tokendir = \(folder.path)/tokens\nlog.level = ERROR\n".write(
      to: settings, atomically: true, encoding: .utf8)
    setenv("SOFTHSM2_CONF", settings.path, 1)
    let make = Process()
    make.executableURL = URL(fileURLWithPath: try #require(Program.tool("softhsm2-util")))
    make.arguments = [
      "--init-token", "--free", "--label", "field 07", "--so-pin", "87654321", "--pin", "135790",
    ]
    make.standardOutput = FileHandle.nullDevice
    try make.run()
    make.waitUntilExit()
    try #require(make.terminationStatus == 0)
    try file("pin", "135790\n", mode: 0o600)
    try file("wrong", "000000\n", mode: 0o600)
    try file("open", "135790\n", mode: 0o644)
    try file("empty", "\n", mode: 0o600)
  }

  private func file(_ name: String, _ text: String, mode: Int) throws {
    let path = folder.appendingPathComponent(name).path
    _ = FileManager.default.createFile(
      atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
  }

  func uri(
    token: String = "field 07", pin: String = "pin", module: String = module
  ) throws -> TokenURI {
    let name = token.replacing(" ", with: "%20")
    return try TokenURI(
      "pkcs11:token=\(name)?module-path=\(module)&pin-source=\(folder.path)/\(pin)")
  }
}

@Suite("A key in a token", .serialized, .enabled(if: SoftToken.isHere, "softhsm2 is not installed"))
struct TokenTests {
  private func token() throws -> SoftToken { try SoftToken.made.get() }

  private func error(_ body: () throws -> Void) -> TokenError? {
    do {
      try body()
      return nil
    } catch {
      return error as? TokenError
    }
  }

  @Test("a key is made in the token, signs there, and cannot be taken out")
  func signs() throws {
    let uri = try token().uri()
    let id: [UInt8] = [1, 2, 3, 4]
    let bytes = Array("a seal".utf8)
    let session = try TokenSession(uri)
    #expect(session.description.label == "field 07")
    #expect(session.description.maker.contains("SoftHSM"))
    let key = try session.makeKey(id: id)
    let digest = Array(SHA256.hash(data: bytes))
    let signature = try session.sign(digest, id: id)
    #expect(key.verifies(signature, of: bytes))
    #expect(!key.verifies(signature, of: bytes + [0]))
    #expect(error { _ = try session.sign(digest, id: [9]) } == .noKey)
    #expect(error { _ = try session.sign([1, 2], id: id) } != nil)
  }

  @Test(
    "no token, a wrong PIN, a PIN that others can read and a file that is no module are told apart")
  func refusals() throws {
    let token = try token()
    func error(_ uri: TokenURI) -> TokenError? { self.error { _ = try TokenSession(uri) } }
    let another = try token.uri(token: "another")
    #expect(error(another) == .noToken("another"))
    let wrong = try token.uri(pin: "wrong")
    #expect(error(wrong) == .wrongPIN)
    for name in ["open", "empty", "missing"] {
      let found = error(try token.uri(pin: name))
      guard case .pinFile(let path, _) = found else {
        Issue.record("\(name): \(String(describing: found))")
        continue
      }
      #expect(path.hasSuffix(name))
    }
    var bare = try token.uri()
    bare.pinSource = nil
    #expect(error(bare)?.code == "key-token-pin-file")
    let library = try #require(
      ["/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"].first {
        FileManager.default.fileExists(atPath: $0)
      })
    for module in ["/nowhere.so", "/etc/hostname", library] {
      let uri = try token.uri(module: module)
      #expect(error(uri)?.code == "key-token-module", "\(module)")
    }
    // A wrong PIN before does not lock out the right one.
    let right = try token.uri()
    #expect(error(right) == nil)
  }

  @Test("the worker answers in JSON, and says no secret")
  func worker() throws {
    let token = try token()
    var uri = try token.uri()
    uri.id = [7, 7]
    let made = TokenWorker.answer(to: JSONValue.object(["uri": .string(uri.text)]).canonicalBytes)
    let key = try #require(made["key"].flatMap(DevicePublicKey.init(jwk:)))
    let bytes = Array("a seal".utf8)
    let signed = TokenWorker.answer(
      to: JSONValue.object([
        "uri": .string(uri.text),
        "digest": .string(Base64URL.text(Array(SHA256.hash(data: bytes)))),
      ]).canonicalBytes)
    let signature = try #require(signed["signature"]?.text.flatMap(Base64URL.bytes))
    #expect(key.verifies(signature, of: bytes))
    for question in ["", "{", "[]", "{\"uri\":7}", "{\"uri\":\"pkcs11:\"}"] {
      #expect(TokenError(json: TokenWorker.answer(to: Array(question.utf8))) != nil, "\(question)")
    }
    var wrong = try token.uri(pin: "wrong")
    wrong.id = [7, 7]
    let refused = TokenWorker.answer(
      to: JSONValue.object(["uri": .string(wrong.text)]).canonicalBytes)
    #expect(TokenError(json: refused) == .wrongPIN)
    #expect(!"\(made)\(signed)\(refused)".contains("135790"))
  }

  @Test("each error that a worker can tell comes back as it was")
  func errors() {
    let all: [TokenError] = [
      .malformedURI("it has no end"), .module(path: "/a", reason: "b"), .noToken("t"),
      .pinFile(path: "/p", "it is empty"), .wrongPIN, .noKey, .crashed, .slow(seconds: 3),
      .refused(step: "C_Sign", code: 0x30), .nonsense("n"),
    ]
    for error in all {
      #expect(TokenError(json: error.json) == error)
      #expect(!"\(error.wording)".isEmpty && error.code.hasPrefix("key-token-"))
    }
  }

  @Test("a worker that crashes, hangs, says nonsense or is not there ends nothing but itself")
  func crashes() throws {
    try withTemporaryDirectory { folder in
      func ask(_ script: String, patience: Int = 20) throws -> TokenError? {
        let file = folder.appendingPathComponent("worker-\(abs(script.hashValue))").path
        _ = FileManager.default.createFile(
          atPath: file, contents: Data("#!/bin/sh\n\(script)\n".utf8),
          attributes: [.posixPermissions: 0o700])
        return error {
          _ = try TokenWorker.ask(.object([:]), of: file, patienceSeconds: patience)
        }
      }
      let scripts: [(String, TokenError)] = [
        ("kill -SEGV $$", .crashed), ("exit 3", .crashed),
        ("echo hello", .nonsense("it is no JSON")),
        ("echo '{\"error\":\"key-token-pin\"}'", .wrongPIN),
        ("exec head -c 100000 /dev/zero", .crashed),
      ]
      for (script, expected) in scripts {
        let found = try ask(script)
        #expect(found == expected, "\(script)")
      }
      let late = try ask("exec tail -f /dev/null", patience: 1)
      #expect(late == .slow(seconds: 1))
    }
    #expect(
      error { _ = try TokenWorker.ask(.object([:]), of: "/nowhere") }?.code == "key-token-module")
  }

  @Test("a folder makes keys where they were chosen to be, and finds them again")
  func folder() throws {
    try withTemporaryDirectory { root in
      let path = root.appendingPathComponent("keys").path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let folder = KeyFolder(path: path, program: Program.tokenWorker(in: root))
      let file = try folder.makeKey()
      #expect(file.keeping == .file)
      #expect(try !folder.isElsewhere(file.publicKey.thumbprint))
      let words = try folder.choose(try token().uri().text)
      #expect("\(words)".contains("field 07") && "\(words)".contains("Sign in again"))
      #expect(try folder.isElsewhere(file.publicKey.thumbprint))
      let made = try folder.makeKey()
      guard case .token(let maker, _, let serial) = made.keeping else {
        Issue.record("\(made.keeping)")
        return
      }
      #expect(maker.contains("SoftHSM") && !serial.isEmpty)
      let thumbprint = made.publicKey.thumbprint
      #expect(try !folder.isElsewhere(thumbprint))
      let again = try folder.key(thumbprint)
      let bytes = Array("sealed".utf8)
      #expect(again.publicKey.verifies(try again.sign(bytes), of: bytes))
      #expect(try folder.keys().count == 2 && folder.lines().count == 3)
      #expect(try folder.json()["keys"]?.elements?.count == 2)
      // A file that names another key, or is damaged, is not taken for a key that is not there.
      try FileManager.default.removeItem(atPath: folder.tokenFile(thumbprint))
      _ = FileManager.default.createFile(
        atPath: folder.tokenFile(thumbprint), contents: Data("{}".utf8))
      #expect(throws: KeyFolderError.damaged(path: folder.tokenFile(thumbprint))) {
        _ = try folder.key(thumbprint)
      }
      #expect(throws: KeyFolderError.missing(path: folder.file("nobody"))) {
        _ = try folder.key("nobody")
      }
      _ = try folder.choose("file")
      #expect(try folder.chosenPlace() == nil && folder.isElsewhere(thumbprint))
      #expect(error { _ = try folder.choose("pkcs11:nonsense") }?.code == "key-token-uri")
    }
  }
}
