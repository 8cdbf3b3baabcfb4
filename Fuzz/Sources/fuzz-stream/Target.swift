import FuzzChecks

/// Bytes of any kind: the first says how they are cut into reads.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 1 else { return 0 }
  let bytes = UnsafeBufferPointer(start: start + 1, count: count - 1)
  DecoderChecks.compare(bytes, size: 1 + Int(start[0]))
  return 0
}
