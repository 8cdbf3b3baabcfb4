// A receiver reports its sky in pieces: GSV has four satellites at a time, in a series for each
// talker and, from NMEA 4.10 on, for each signal; GSA names the satellites that are used, one
// sentence for each constellation. The obvious way is a dictionary of satellites that is rewritten
// with each sentence; it costs more than all the rest of decoding, and shows half a series as if it
// were the sky. Here each series is written into a buffer of its own that replaces the old one when
// its last sentence has come, and satellites are put together only on request. Cost: constant for
// each sentence, no allocation once each series has been seen twice.

/// A satellite as a GSV reports it, in sixteen bytes. NaN means "not said", and becomes nil in a
/// `Satellite`.
struct HeardSatellite: Sendable {
  var constellation: Constellation
  var id: UInt16
  var elevationDegrees = Float.nan
  var azimuthDegrees = Float.nan
  var carrierToNoiseDecibelHertz = Float.nan

  var isTracked: Bool { carrierToNoiseDecibelHertz > 0 }

  /// Reads the satellite in the four fields of a GSV from `number` on.
  init(_ sentence: NMEASentence, _ number: Int, talker: UInt16, id: Int) {
    constellation = SkyBook.constellation(talker: talker, system: nil, id: id)
    self.id = UInt16(id)
    let elevation = sentence.shortNumber(number + 1)
    if abs(elevation) <= 90 { elevationDegrees = elevation }
    let azimuth = sentence.shortNumber(number + 2)
    if azimuth >= 0, azimuth <= 360 { azimuthDegrees = azimuth == 360 ? 0 : azimuth }
    let strength = sentence.shortNumber(number + 3)
    if strength > 0, strength < 100 { carrierToNoiseDecibelHertz = strength }
  }
}

/// The satellites of the last complete series of sentences.
struct SkyBook: Sendable {
  /// The number of series that are kept: more than any receiver sends (constellations times
  /// signals).
  private static let seriesLimit = 48
  /// The number of satellites of a series that are kept: more than a series has.
  private static let satelliteLimit = 64
  /// The bytes of GSA that are kept: more than those of all constellations in one epoch have.
  private static let usedLimit = 1024
  /// The time after which a series that was not repeated is no longer shown, milliseconds. Many
  /// receivers send their sky only every fifth second.
  private static let lifetimeMilliseconds = 30_000

  private struct Series {
    var talker: UInt16
    var signal: Int?
    var told: [HeardSatellite] = []
    /// Time of day of the epoch in which the series was completed, milliseconds; nil before the
    /// first time.
    var time: Int?
    var telling: [HeardSatellite] = []
    /// The number of the sentence that must come next; 0 if none is expected.
    var nextPart = 0

    /// Returns true if the sentence is the next one of the series, or its first. If a sentence was
    /// lost, the rest of the series is ignored: half a series is no sky.
    mutating func begin(_ part: Int) -> Bool {
      if part == 1 {
        telling.removeAll(keepingCapacity: true)
      } else if part != nextPart {
        nextPart = 0
        return false
      }
      return true
    }

    mutating func finish(at time: Int) {
      swap(&telling, &told)
      self.time = time
      nextPart = 0
    }
  }

  private var series: [Series] = []
  /// The number of series that have been told whole so far.
  private(set) var count = 0
  /// The GSA sentences of the last published epoch, and of this one. They come twice or more each
  /// second, and are read only on request.
  private var used: [UInt8] = []
  private var usedNow: [UInt8] = []
  /// True if this epoch has said which satellites it uses, even if it uses none.
  private var saysUsed = false
  private var trackedConstellations: UInt8 = 0
  /// The tracked signals: for each constellation a bit for each signal id.
  private var trackedSignals = InlineArray<8, UInt16>(repeating: 0)

  init() {
    used.reserveCapacity(Self.usedLimit)
    usedNow.reserveCapacity(Self.usedLimit)
  }

  /// The constellations and signals heard from the receiver so far.
  var capability: ReceiverCapability {
    var constellations: [Constellation] = []
    var signals: [SatelliteSignal] = []
    for constellation in Constellation.allCases {
      let place = Int(constellation.rawValue)
      if trackedConstellations & 1 << constellation.rawValue != 0 {
        constellations.append(constellation)
      }
      for id in 1...15 where trackedSignals[place] & 1 << UInt16(id) != 0 {
        if let signal = SatelliteSignal(constellation: constellation, id: id) {
          signals.append(signal)
        }
      }
    }
    return ReceiverCapability(constellations: constellations, signals: signals)
  }

  // MARK: used satellites

  /// Begins a new epoch.
  mutating func beginEpoch() {
    usedNow.removeAll(keepingCapacity: true)
    saysUsed = false
  }

  /// Ends an epoch: its used satellites replace those of the epoch before.
  mutating func endEpoch() {
    guard saysUsed else { return }
    used.removeAll(keepingCapacity: true)
    used.append(contentsOf: usedNow)
  }

  /// Takes one GSA.
  mutating func noteUsed(_ sentence: NMEASentence) {
    saysUsed = true
    let text = sentence.text
    guard usedNow.count + text.count < Self.usedLimit else { return }
    usedNow.append(contentsOf: text)
    usedNow.append(UInt8(ascii: "*"))
  }

  /// Returns the keys of the satellites that GSA sentences name, one after the other.
  private static func satellites(_ sentences: [UInt8]) -> Set<UInt32> {
    var keys: Set<UInt32> = []
    sentences.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count {
        var sentence = NMEASentence(UnsafeBufferPointer(rebasing: bytes[start...]))
        start += sentence.findFields(limit: bytes.count - start).end + 1
        guard let address = NMEAReport.Address(sentence) else { continue }
        let system = sentence.hexadecimalDigit(18)
        for number in 3...14 {
          guard let id = sentence.integer(number, in: 1...9999) else { continue }
          keys.insert(
            key(constellation(talker: address.talker, system: system, id: id), UInt16(id)))
        }
      }
    }
    return keys
  }

  private static func key(_ constellation: Constellation, _ id: UInt16) -> UInt32 {
    UInt32(constellation.rawValue) << 16 | UInt32(id)
  }

  // MARK: satellites in view

  /// Takes one GSV; `time` is the time of day of the epoch in milliseconds, nil before the first
  /// epoch.
  mutating func noteInView(_ sentence: NMEASentence, talker: UInt16, at time: Int?) {
    let parts = sentence.integer(1) ?? 1
    let part = sentence.integer(2) ?? 1
    // From 4.10 on a field follows the groups of four fields: the signal.
    let signal =
      sentence.fieldCount % 4 == 0 ? sentence.hexadecimalDigit(sentence.fieldCount) : nil
    var index = 0
    while index < series.count, series[index].talker != talker || series[index].signal != signal {
      index += 1
    }
    if index == series.count {
      guard index < Self.seriesLimit else { return }
      series.append(Series(talker: talker, signal: signal))
    }
    guard part >= 1, part <= parts, series[index].begin(part) else { return }
    // The buffer is taken out and put back, so that it is written in place.
    var telling: [HeardSatellite] = []
    swap(&telling, &series[index].telling)
    var number = 4
    while number <= 16, number + 3 <= sentence.fieldCount {
      let id = sentence.shortNumber(number)
      if id >= 1, id <= 9999, id == id.rounded(), telling.count < Self.satelliteLimit {
        let heard = HeardSatellite(sentence, number, talker: talker, id: Int(id))
        telling.append(heard)
        if heard.isTracked {
          let place = heard.constellation.rawValue
          trackedConstellations |= 1 << place
          if let signal { trackedSignals[Int(place)] |= 1 << UInt16(signal) }
        }
      }
      number += 4
    }
    swap(&telling, &series[index].telling)
    if part == parts {
      series[index].finish(at: time ?? 0)
      count &+= 1
    } else {
      series[index].nextPart = part + 1
    }
  }

  /// Returns the satellites of all recent series, each once with all its signals.
  func satellites(at time: Int?) -> [Satellite] {
    let inUse = Self.satellites(saysUsed ? usedNow : used)
    var satellites: [Satellite] = []
    var places: [UInt32: Int] = [:]
    let order = series.sorted {
      ($0.talker, $0.signal ?? 0) < ($1.talker, $1.signal ?? 0)
    }
    for one in order {
      guard let told = one.time, Self.isRecent(told, at: time ?? told) else { continue }
      for heard in one.told {
        let key = Self.key(heard.constellation, heard.id)
        let place = places[key] ?? satellites.count
        if place == satellites.count {
          places[key] = place
          satellites.append(
            Satellite(
              constellation: heard.constellation, id: Int(heard.id), isUsed: inUse.contains(key)))
        }
        satellites[place].add(heard, signal: one.signal)
      }
    }
    return satellites
  }

  /// Returns the constellation by talker, by the system id of 4.11 under the common talker GN,
  /// otherwise by the range of the id. Source: NMEA 0183 4.11, GSA and GSV.
  static func constellation(talker: UInt16, system: Int?, id: Int) -> Constellation {
    switch talker {
    case 0x474C: return .glonass  // GL
    case 0x4741: return .galileo  // GA
    case 0x4742, 0x4244: return .beiDou  // GB, BD
    case 0x4751, 0x515A, 0x5051: return .qzss  // GQ, QZ, PQ
    case 0x4749: return .navIC  // GI
    default: break
    }
    if talker == 0x474E, let system {  // GN
      switch system {
      case 2: return .glonass
      case 3: return .galileo
      case 4: return .beiDou
      case 5: return .qzss
      case 6: return .navIC
      default: break
      }
    }
    switch id {
    case 33...64, 120...158: return .sbas
    case 65...96: return .glonass
    case 193...202: return .qzss
    case 201...264, 401...437: return .beiDou
    case 301...336: return .galileo
    default: return .gps
    }
  }

  private static func isRecent(_ told: Int, at time: Int) -> Bool {
    let age = abs(time - told)
    return min(age, 86_400_000 - age) <= lifetimeMilliseconds
  }
}

extension Satellite {
  fileprivate mutating func add(_ heard: HeardSatellite, signal: Int?) {
    if !heard.elevationDegrees.isNaN { elevationDegrees = Double(heard.elevationDegrees) }
    if !heard.azimuthDegrees.isNaN { azimuthDegrees = Double(heard.azimuthDegrees) }
    guard heard.isTracked else { return }
    let strength = Double(heard.carrierToNoiseDecibelHertz)
    carrierToNoiseDecibelHertz = max(carrierToNoiseDecibelHertz ?? strength, strength)
    if let signal = signal.flatMap({ SatelliteSignal(constellation: constellation, id: $0) }),
      !signals.contains(signal)
    {
      signals.append(signal)
    }
  }
}
