import Testing
import TimeAndText

@testable import ObjectStorage

@Suite("The words of an object store")
struct ObjectTextTests {
  @Test(
    "an address says bucket, prefix and the way",
    arguments: [
      (
        "s3://field-photos", "field-photos", "", "https://field-photos.s3.us-east-1.amazonaws.com/k"
      ),
      (
        "s3://field-photos/office/north/?region=eu-central-1", "field-photos", "office/north/",
        "https://field-photos.s3.eu-central-1.amazonaws.com/office/north/k"
      ),
      (
        "s3://field-photos/office?endpoint=https://s3.example.org:9000", "field-photos", "office/",
        "https://s3.example.org:9000/field-photos/office/k"
      ),
      (
        "s3://field-photos?endpoint=https://s3.example.org:443&style=host", "field-photos", "",
        "https://field-photos.s3.example.org/k"
      ),
      (
        "s3://field.photos?region=eu-west-1", "field.photos", "",
        "https://s3.eu-west-1.amazonaws.com/field.photos/k"
      ),
      (
        "s3://abc?endpoint=http://[::1]:9000", "abc", "", "http://[::1]:9000/abc/k"
      ),
      (
        "s3://abc?endpoint=http://store.lan&plain=yes", "abc", "", "http://store.lan/abc/k"
      ),
    ])
  func address(text: String, bucket: String, prefix: String, url: String) throws {
    let address = try ObjectAddress(text)
    #expect(address.bucket == bucket)
    #expect(address.prefix == prefix)
    #expect(address.url("k") == url)
  }

  @Test(
    "an address that says nothing clear is refused, and never repeated",
    arguments: [
      ("", "looks like"), ("https://field-photos", "looks like"), ("s3://", "3 to 63"),
      ("s3://UPPER", "3 to 63"), ("s3://a..b", "3 to 63"), ("s3://-ab", "3 to 63"),
      ("s3://inspectionkey:hunter2@abc", "no credentials"), ("s3://abc@hunter2", "no credentials"),
      ("s3://abc:9000", "endpoint="), ("s3://abc//x", "single slashes"),
      ("s3://abc/../x", "single slashes"), ("s3://abc/a%20b", "single slashes"),
      ("s3://abc?secret=hunter2", "nothing else"), ("s3://abc?region=", "once"),
      ("s3://abc?region=a&region=b", "once"), ("s3://abc?region=a/b", "a word such as"),
      ("s3://abc?style=hunter2", "path or host"), ("s3://abc?endpoint=ftp://x", "a scheme"),
      ("s3://abc?endpoint=https://x/y", "a scheme"), ("s3://abc?endpoint=https://x?y", "a scheme"),
      ("s3://abc?endpoint=http://store.lan", "plain=yes"),
      ("s3://abc?endpoint=https://x:99999", "a scheme"),
      ("s3://abc?endpoint=https://10.0.0.1:9000&style=host", "address of numbers"),
    ])
  func malformed(text: String, words: String) throws {
    let failure = try #require(throws: ObjectFailure.self) { try ObjectAddress(text) }
    #expect(failure.kind == .malformedAddress)
    #expect(failure.description.contains(words), "\(failure)")
    #expect(!failure.description.contains("hunter2"))
  }

  @Test("credentials come from the environment, else from a private file")
  func credentials() throws {
    let file = """
      # the keys of two offices
      [default]
      aws_access_key_id = A
      aws_secret_access_key = hunter2=
      [ south ]
      aws_access_key_id=B
      aws_secret_access_key=hunter3
      aws_session_token=T
      """
    func found(
      _ environment: [String: String], _ bytes: String? = file, isPrivate: Bool = true
    ) throws -> ObjectCredentials {
      try ObjectCredentials.found(environment: environment) { path in
        #expect(path == environment["AWS_SHARED_CREDENTIALS_FILE"] ?? "/home/otto/.aws/credentials")
        return bytes.map { .init(bytes: Array($0.utf8), isPrivate: isPrivate) }
      }
    }
    func parts(_ key: ObjectCredentials) -> [String?] { [key.identifier, key.secret, key.session] }
    let home = ["HOME": "/home/otto"]
    let own = try found([
      "AWS_ACCESS_KEY_ID": "C", "AWS_SECRET_ACCESS_KEY": "hunter4", "AWS_SESSION_TOKEN": "S",
    ])
    #expect(parts(own) == ["C", "hunter4", "S"])
    let first = try found(home)
    #expect(parts(first) == ["A", "hunter2=", nil])
    let south = try found(["AWS_SHARED_CREDENTIALS_FILE": "/etc/keys", "AWS_PROFILE": "south"])
    #expect(parts(south) == ["B", "hunter3", "T"])
    for (problem, words): (() throws -> ObjectCredentials, String) in [
      ({ try found(home, nil) }, "/home/otto/.aws/credentials"),
      ({ try found([:]) }, "set AWS_ACCESS_KEY_ID"),
      ({ try found(["AWS_ACCESS_KEY_ID": "C"]) }, "belong together"),
      (
        { try found(["AWS_ACCESS_KEY_ID": "C", "AWS_SECRET_ACCESS_KEY": "hunter\n2"]) },
        "line break"
      ),
      ({ try found(home, isPrivate: false) }, "chmod 600"),
      ({ try found(home.merging(["AWS_PROFILE": "west"]) { $1 }) }, "[west]"),
    ] {
      let failure = try #require(throws: ObjectFailure.self) { try problem() }
      #expect(failure.kind == .noCredentials)
      #expect(failure.description.contains(words), "\(failure)")
      #expect(!failure.description.contains("hunter"))
    }
  }

  @Test("a key is shown nowhere, however it is printed")
  func hidden() throws {
    let key = ObjectCredentials(identifier: "inspectionkey", secret: "hunter2", session: "hunter3")
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped, "\([key])", "\(Optional(key) as Any)"] {
      #expect(!text.contains("hunter"), "\(text)")
      #expect(!text.contains("inspection"), "\(text)")
    }
  }

  @Test("a digest is a key, and no other word is a digest's")
  func keys() {
    let digest = String(repeating: "ab", count: 32)
    let key = ObjectKey.digest(digest)
    #expect(key == "sha256/ab/\(digest)")
    #expect(ObjectKey.digest(ofKey: key) == digest)
    for other in [
      digest, "sha256/\(digest)", "sha256/cd/\(digest)", "sha256/ab/\(digest)0",
      "sha256/AB/\(digest.uppercased())", "lists/\(digest)", "",
    ] {
      #expect(ObjectKey.digest(ofKey: other) == nil, "\(other)")
    }
  }

  @Test("pauses grow, end at the longest, and follow the store as far as that")
  func pauses() {
    let pace = RetryPace(tries: 6, firstSeconds: 0.2, longestSeconds: 20)
    func pause(_ failures: Int, asked: Double? = nil, chance: Double = 1) -> Double {
      pace.pauseSeconds(after: failures, asked: asked, chance: chance)
    }
    #expect((1...4).map { pause($0) } == [0.2, 0.4, 0.8, 1.6])
    #expect(pause(3, chance: 0.5) == 0.4)
    #expect(pause(1000) == 20)
    #expect(pause(1, asked: 7) == 7)
    #expect(pause(1, asked: 1e9) == 20)
    #expect(pause(1, asked: -1, chance: 0) == 0)
    #expect(pause(1, asked: .nan) == 0.2)
    #expect(pause(1, asked: .infinity, chance: 0) == 0)
  }
}
