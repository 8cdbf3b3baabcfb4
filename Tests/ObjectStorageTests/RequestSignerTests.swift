import Foundation
import Testing
import TimeAndText

@testable import ObjectStorage

/// Amazon publishes these requests with their signatures.
@Suite("Signatures of an object store's requests")
struct RequestSignerTests {
  private static let host = "examplebucket.s3.amazonaws.com"
  private let signer = RequestSigner(
    credentials: ObjectCredentials(
      identifier: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1")
  private let time: DeviceTime

  init() throws { time = try #require(DeviceTime(rfc3339: "2013-05-24T00:00:00Z")) }

  private func signature(
    _ method: String, _ path: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [],
    digest: String = RequestSigner.digestOfNothing
  ) throws -> String {
    let all = signer.headers(
      for: .init(
        method: method, path: path, query: query, host: Self.host, headers: headers,
        digest: digest), at: time)
    let authorization = try #require(all.first { $0.name == "authorization" })
    return String(try #require(authorization.value.components(separatedBy: "Signature=").last))
  }

  @Test(
    "a part of an object, an object with a strange name, a bucket's settings and a list of keys")
  func published() throws {
    #expect(
      try signature("GET", "/test.txt", headers: [("range", "bytes=0-9")])
        == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    #expect(
      try signature(
        "PUT", ObjectText.encoded("/test$file.text", keepsSlashes: true),
        headers: [
          ("date", "Fri, 24 May 2013 00:00:00 GMT"),
          ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ], digest: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
        == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    #expect(
      try signature("GET", "/", query: [("lifecycle", "")])
        == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    #expect(
      try signature("GET", "/", query: [("prefix", "J"), ("max-keys", "2")])
        == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test("an address that everybody may fetch for a day")
  func presigned() throws {
    let query = signer.presigned(path: "/test.txt", host: Self.host, seconds: 86_400, at: time)
    #expect(
      query.last?.value == "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
  }

  @Test("a query is signed by the names, not by the whole text")
  func order() {
    #expect(
      ObjectText.query([("a-b", "1"), ("a", "2"), ("é", " /+")]) == "%C3%A9=%20%2F%2B&a=2&a-b=1")
  }
}
