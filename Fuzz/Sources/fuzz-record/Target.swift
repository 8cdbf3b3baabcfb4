import Evidence
import EvidenceChecks
import Verification

// A record is whatever its device says. Here any JSON is one, under a seal that holds.

/// Any JSON as a record.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  guard let record = try? JSONValue(parsing: bytes) else { return 0 }
  precondition((try? JSONValue(parsing: record.canonicalBytes)) == record, "canonical text differs")
  guard let file = EvidenceChecks.sealFile(record: record) else { return 0 }
  // What the office reads of it.
  _ = try? file.photo()
  _ = try? file.transition()
  _ = try? file.note()
  _ = file.surroundingsCounts
  let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
  let files = EvidenceChecks.Files(["a.jpg": picture, "a.jpg.seal": file.bytes])
  _ = Verifier.verify(files, scope: .single)
  return 0
}
