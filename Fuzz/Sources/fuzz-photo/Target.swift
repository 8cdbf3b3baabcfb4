import Evidence
import EvidenceChecks
import Verification

// A photo's file is hostile: segments, EXIF, XMP, boxes and CBOR are read from it as soon as somebody
// verifies it, also where its digest is not the one that was sealed.

/// A seal whose record claims all that can be embedded, and whose file is always another one.
private let seal = EvidenceChecks.seal(
  record: #"{"claims":["exif-position","exif-time","xmp","manifest"],"origin":"camera"}"#)

/// Any bytes as a photo's file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  let files = EvidenceChecks.Files(["a.jpg": bytes, "a.jpg.seal": seal])
  let report = Verifier.verify(files, scope: .single)
  precondition(report.verdict == .altered, "a photo of other bytes passes")
  precondition(report.findings.count < 60, "findings without a limit")
  precondition(report.checked == 1, "the seal was not read")
  return 0
}
