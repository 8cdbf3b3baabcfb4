import Testing
import TimeAndText

@testable import ObjectStorage

@Suite("What an object store says")
struct StoreAnswerTests {
  private let address: ObjectAddress
  private let now: DeviceTime

  init() throws {
    address = try ObjectAddress(
      "s3://field-photos?endpoint=https://s3.example.org&region=eu-west-1")
    now = try #require(DeviceTime(rfc3339: "2026-06-01T12:00:00Z"))
  }

  private func failure(
    _ status: Int, _ code: String? = nil, more: String = "", headers: [String: String] = [:]
  ) -> ObjectFailure {
    let body =
      code.map { "<?xml version=\"1.0\"?><Error><Code>\($0)</Code>\(more)</Error>" } ?? more
    return StoreAnswer(status: status, headers: { headers[$0] }, body: Array(body.utf8))
      .failure(address, at: now)
  }

  @Test("each refusal is told with what to do")
  func refusals() {
    let cases: [(ObjectFailure, ObjectFailure.Kind, String)] = [
      (failure(403, "InvalidAccessKeyId"), .refusedCredentials, "access key"),
      (failure(403, "SignatureDoesNotMatch"), .refusedCredentials, "eu-west-1"),
      (failure(403, "AccessDenied"), .forbidden, "field-photos"),
      (failure(404, "NoSuchBucket"), .noBucket, "field-photos"),
      (failure(404), .noBucket, "field-photos"),
      (failure(404, "NoSuchUpload"), .refused, "NoSuchUpload"),
      (
        failure(301, "PermanentRedirect", headers: ["x-amz-bucket-region": "eu-north-1"]),
        .otherRegion, "eu-north-1"
      ),
      (
        failure(400, "AuthorizationHeaderMalformed", more: "<Region>us-east-2</Region>"),
        .otherRegion, "us-east-2"
      ),
      (failure(307), .otherRegion, "endpoint="), (failure(507), .full, "room"),
      (failure(503, "SlowDown"), .unavailable, "SlowDown"), (failure(500), .unavailable, "500"),
      (failure(501, "NotImplemented"), .refused, "NotImplemented"),
      (failure(404, headers: ["content-type": "text/html; charset=utf-8"]), .notAStore, "web page"),
      (
        failure(403, "AccessDenied", headers: ["date": "Mon, 01 Jun 2026 11:40:00 GMT"]),
        .wrongClock,
        "20 minutes fast"
      ),
      (
        failure(403, "RequestTimeTooSkewed", headers: ["date": "Mon, 01 Jun 2026 12:30:00 GMT"]),
        .wrongClock, "30 minutes slow"
      ),
      (failure(403, "RequestTimeTooSkewed"), .wrongClock, "NTP"),
      (
        failure(403, "AccessDenied", headers: ["date": "Mon, 01 Jun 2026 12:01:00 GMT"]),
        .forbidden, "may not"
      ),
    ]
    for (failure, kind, words) in cases {
      #expect(failure.kind == kind, "\(failure)")
      #expect(failure.description.contains(words), "\(failure)")
    }
  }

  @Test("what passes is tried again, and nothing else")
  func passing() {
    func isPassing(_ status: Int, _ code: String?) -> Bool {
      let body = code.map { "<Error><Code>\($0)</Code></Error>" } ?? ""
      return StoreAnswer(status: status, headers: { _ in nil }, body: Array(body.utf8)).isPassing
    }
    for (status, code) in [
      (500, nil), (502, nil), (503, "SlowDown"), (504, nil), (429, nil), (400, "RequestTimeout"),
    ] as [(Int, String?)] { #expect(isPassing(status, code), "\(status)") }
    for (status, code) in [
      (400, nil), (403, "AccessDenied"), (404, nil), (501, "NotImplemented"), (507, nil),
    ] as [(Int, String?)] { #expect(!isPassing(status, code), "\(status)") }
  }

  @Test("words from outside are shown short and plain, and bytes that are no document say nothing")
  func hostile() {
    let loud = failure(400, "A<![CDATA[<script>\u{202E}]]>" + String(repeating: "x", count: 5000))
    #expect(loud.description.utf8.count < 200)
    #expect(!loud.description.contains("<") && !loud.description.contains("\u{202E}"))
    for body in [
      "", "\0\0\0", "<", "<Error>",
      "<!DOCTYPE e [<!ENTITY a \"b\">]><Error><Code>&a;</Code></Error>",
      String(repeating: "<a>", count: 10_000),
    ] {
      #expect(StoreAnswer(status: 400, headers: { _ in nil }, body: Array(body.utf8)).code == nil)
    }
  }

  @Test("a list has the keys below the prefix, and says where it goes on")
  func list() throws {
    let office = try ObjectAddress("s3://field-photos/office?endpoint=https://s3.example.org")
    let page = try KeyList.page(
      Array(
        """
        <?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b=</NextContinuationToken>
        <Contents><Key>office/sha256/ab/x</Key><Size>12</Size><Owner><Key>no</Key></Owner></Contents>
        <Contents><Key>elsewhere</Key><Size>1</Size></Contents><EncodingType>url</EncodingType>
        <Contents><Key>office/b%3C%01</Key><Size>-</Size></Contents></ListBucketResult>
        """.utf8), below: office)
    #expect(page.objects.map(\.key) == ["sha256/ab/x", "b<\u{1}"])
    #expect(page.objects.map(\.bytes) == [12, 0])
    #expect(page.isMore && page.next == "a&b=")
    for body in ["", "<html></html>", "<Other><ListBucketResult/></Other>", "<ListBucketResult>"] {
      let failure = try #require(throws: ObjectFailure.self) {
        try KeyList.page(Array(body.utf8), below: office)
      }
      #expect(failure.kind == .notAStore)
    }
  }

  @Test("tags of parts are written as they came, escaped")
  func completion() {
    #expect(
      KeyList.completion(["\"1\"", "<&"])
        == "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\"1\"</ETag></Part>"
        + "<Part><PartNumber>2</PartNumber><ETag>&lt;&amp;</ETag></Part></CompleteMultipartUpload>")
  }
}
