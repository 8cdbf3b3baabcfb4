import FuzzChecks

// The stream's target rarely gets past a checksum. Here each byte chooses what a sentence says, and
// the checksum is right: what is tried is the assembler, the gate and the sampler.

private let kinds = [
  "GPGGA", "GNGGA", "GPRMC", "GNRMC", "GNGNS", "GPGLL", "GPGST", "GPGBS", "GPZDA", "GPVTG", "GNGSA",
  "GPGSV", "GAGSV", "HEHDT", "HCHDG", "GNTHS", "PUBX", "PGRME", "PGRMZ", "GPXXX",
]
private let values = [
  "", "0", "1", "2", "3", "8", "-1", "9", "00", "99", "123519", "123520", "123520.5", "235959",
  "000000",
  "235960.9", "4807.038", "01131.000", "4807.039", "9000.0", "18000.0", "N", "S", "E", "W", "A",
  "V",
  "D", "R", "NA", "M", "f", "K", "T", "G3", "NF", "0.9", "545.4", "1e9", "999999999999999999999",
  "-0.0",
  ".", "0.000000000000000000001", "230394", "311299", "290223", "12", "2024", "65535", "F",
]
/// What a sentence of a kind usually says, so that chance does not have to find it.
private let usual: [String: String] = [
  "GGA": "123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,1.5,0123",
  "RMC": "123519,A,4807.038,N,01131.000,E,0.1,84.4,230394,,,A",
  "GNS": "123519,4807.038,N,01131.000,E,RD,15,0.7,10.0,-5.0,2,99",
  "GLL": "4807.038,N,01131.000,E,123519,A,A", "GST": "123519,,2.0,1.0,0,1,1,3.0",
  "GBS": "123519,2.0,1.0,3.0,,,,", "ZDA": "123519,05,04,2031,00,00", "VTG": "45,T,,M,1.0,N,3.6,K,A",
  "GSA": "A,3,01,02,,,,,,,,,,,1.5,0.8,1.2,1", "GSV": "1,1,02,02,63,098,44,05,41,204,42,1",
  "HDT": "271.5,T", "HDG": "358.0,3.0,E,4.5,E", "THS": "12.25,A",
  "BX": "00,123519,4807.038,N,01131.000,E,546,G3,2.1,2.0,3.6,77,0.007,,0.9,1.1,0.7,9,0,0",
  "RME": "5,M,6,M,9,M", "RMZ": "1000,f,3",
]

private let valueBytes = values.map { Array($0.utf8) }
/// Address and fields of each kind, as bytes; nil stands for the time.
private let templates: [(address: [UInt8], fields: [[UInt8]?])] = kinds.map { kind in
  let fields = usual[String(kind.dropFirst(2))]?.split(
    separator: ",", omittingEmptySubsequences: false)
  return (Array(kind.utf8), (fields ?? []).map { $0 == "123519" ? nil : Array($0.utf8) })
}

/// Sentences with right checksums, chosen by the bytes; the first says how they are cut into reads.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 1 else { return 0 }
  let choices = UnsafeBufferPointer(start: start, count: count)
  var stream: [UInt8] = []
  stream.reserveCapacity(8192)
  var index = 1
  while index + 1 < count, stream.count < 8000 {
    let template = templates[Int(choices[index]) % templates.count]
    // How many fields are changed, then which and to what.
    let changes = Int(choices[index + 1] & 3)
    let second = choices[index + 1] >> 2
    index += 2
    let begin = stream.count + 1
    stream.append(UInt8(ascii: "$"))
    stream.append(contentsOf: template.address)
    var altered: [(place: Int, value: Int)] = []
    while altered.count < changes, index + 1 < count {
      altered.append(
        (Int(choices[index]) % (template.fields.count + 2), Int(choices[index + 1]) % values.count))
      index += 2
    }
    for place in 0..<(template.fields.count + (altered.isEmpty ? 0 : 2)) {
      stream.append(UInt8(ascii: ","))
      if let change = altered.last(where: { $0.place == place }) {
        stream.append(contentsOf: valueBytes[change.value])
      } else if place < template.fields.count {
        // Time goes on, mostly: seconds of one minute.
        stream.append(
          contentsOf: template.fields[place]
            ?? [0x31, 0x32, 0x33, 0x35, 0x30 + second / 10, 0x30 + second % 10])
      }
    }
    let sum = stream[begin...].reduce(0, ^)
    stream.append(UInt8(ascii: "*"))
    for digit in [sum >> 4, sum & 15] { stream.append(digit < 10 ? 0x30 + digit : 0x37 + digit) }
    stream.append(contentsOf: [0x0D, 0x0A])
  }
  stream.withUnsafeBufferPointer { DecoderChecks.compare($0, size: 1 + Int(choices[0])) }
  return 0
}
