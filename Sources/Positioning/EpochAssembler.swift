import Geodesy
import TimeAndText

// A receiver describes one instant in several sentences, in an order of its own, and repeats the
// time in only some of them. The obvious way is to publish a fix at each position sentence: then
// speed, mode and uncertainty belong to the second before. Waiting until the time changes is right
// but a second late, which is a long time when a photo is due. So the reports of one instant are
// collected until the time changes, or until the sentence arrives with which this receiver has
// ended its last epochs. Cost: constant for each sentence, no allocation except for satellites.

/// An assembler that turns the reports of one epoch into one `Fix`.
public struct EpochAssembler: Sendable {
  /// The sentence with which this receiver ends an epoch; nil until the rhythm is known. If
  /// sentences without a time lead, the likely end so far.
  public var cycleEnd: CycleEnd? { rhythm ?? (order.leads ? candidate : nil) }

  private var rhythm: CycleEnd?
  private var content = EpochContent()
  /// The sentences without a time since the last one with a time, if the receiver begins its epochs
  /// with them. They belong to this epoch if another timed sentence of it follows, otherwise to the
  /// next one.
  private var pending: [NMEAReport] = []
  private static let pendingLimit = 16
  private var order: SentenceOrder
  private var hasEpoch = false
  private var isPublished = false
  private var date: CivilDate?
  private var dateTime: Int?
  private var kindCounts = InlineArray<16, UInt8>(repeating: 0)
  /// The last talker of each kind in this epoch.
  private var kindTalkers = InlineArray<16, UInt16>(repeating: 0)
  private var lastReport: CycleEnd?
  private var candidate: CycleEnd?
  private var candidateCount = 0
  private var book = SkyBook()

  /// Creates an assembler. `cycleEnd` and `leads` are learned from an earlier part of the same
  /// stream: the sentence that ends an epoch, and true if sentences without a time belong to the
  /// epoch after them; nil if not known.
  public init(cycleEnd: CycleEnd? = nil, leads: Bool? = nil) {
    rhythm = cycleEnd
    order = SentenceOrder(leads: leads ?? cycleEnd?.leads)
    candidate = cycleEnd
    candidateCount = cycleEnd == nil ? 0 : 2
    pending.reserveCapacity(Self.pendingLimit)
  }

  /// True if this receiver's sentences without a time belong to the epoch that follows them.
  var leads: Bool { order.leads }

  private var timeOfDay: Int? { hasEpoch ? content.fix.time.millisecondsSinceMidnight : nil }

  /// The number of series of satellites that have been told whole so far.
  var skyCount: Int { book.count }
  /// The satellites of the last complete series of sentences.
  public var sky: [Satellite] {
    book.satellites(at: timeOfDay)
  }
  /// The constellations and signals heard from the receiver so far.
  public var capability: ReceiverCapability { book.capability }

  /// Takes one GSV. Many receivers send satellites in view only every few epochs, and in varying
  /// numbers: GSV never ends an epoch, and an epoch does not wait for it.
  mutating func noteInView(_ sentence: NMEASentence, talker: UInt16) {
    book.noteInView(sentence, talker: talker, at: timeOfDay)
  }

  /// Takes the satellites of one GSA; its mode and dilutions come as a report.
  mutating func noteUsed(_ sentence: NMEASentence) {
    book.noteUsed(sentence)
  }

  /// Takes one report and calls `body` for each epoch that it completes: the epoch before if the
  /// time has changed, and its own epoch if the report ends it. Returns true if the time has gone
  /// backwards.
  mutating func accept(_ report: NMEAReport, _ body: (Fix) -> Void) -> Bool {
    var isBackwards = false
    if let time = report.millisecondsSinceMidnight {
      if time != timeOfDay {
        endEpoch(body)
        isBackwards = isBefore(time)
        begin(time: time)
      }
    } else if report.kind.isTimed {
      // A timed sentence came without its time. If the same talker sent this kind with a time in
      // this epoch, the receiver has lost its fix and no longer knows the time; a sentence of
      // another talker has nothing to do with this epoch.
      let kind = Int(report.kind.rawValue)
      if report.coordinate == nil, report.kind.isAboutPosition, kindCounts[kind] > 0,
        kindTalkers[kind] == report.talker
      {
        breakOff(body)
      }
      return false
    }
    guard hasEpoch else { return false }
    if let date = report.date {
      self.date = date
      dateTime = report.millisecondsSinceMidnight
    }
    order.note(report)
    if order.leads {
      guard report.kind.isTimed || pending.count >= Self.pendingLimit else {
        pending.append(report)
        return false
      }
      mergePending()
    }
    if !isPublished { content.merge(report) }
    let place = count(report)
    // If the supposed end comes first for once, the position is still to come.
    if place == rhythm, content.isTold { publish(body) }
    return isBackwards
  }

  /// Publishes the epoch so far, because the stream has ended or broken off. The place of the break
  /// teaches nothing about the receiver's rhythm.
  mutating func finish(_ body: (Fix) -> Void) {
    breakOff(body)
    date = nil
  }

  private mutating func breakOff(_ body: (Fix) -> Void) {
    publish(body)
    hasEpoch = false
    lastReport = nil
    pending.removeAll(keepingCapacity: true)
    order.finish()
    book.beginEpoch()
  }

  // MARK: the epoch's life

  /// Returns true if a time is before the epoch's time; a step back over midnight does not count.
  private func isBefore(_ time: Int) -> Bool {
    guard let timeOfDay else { return false }
    let step = time - timeOfDay
    return step < 0 && step > -43_200_000
  }

  /// Ends the epoch, because the time has changed.
  private mutating func endEpoch(_ body: (Fix) -> Void) {
    publish(body)
    learnRhythm()
    // If the receiver leads with its satellites, those of the next epoch have already come.
    if !order.leads { book.beginEpoch() }
    if order.endEpoch() {
      // From now on another sentence counts as the last one of an epoch.
      candidate = nil
      candidateCount = 0
      rhythm = nil
      pending.removeAll(keepingCapacity: true)
      book.beginEpoch()
    }
  }

  private mutating func begin(time: Int) {
    holdDate(at: time)
    guard let start = GNSSTime(millisecondsSinceMidnight: time, date: nil) else {
      hasEpoch = false
      return
    }
    content.clear()
    content.begin(start)
    hasEpoch = true
    isPublished = false
    mergePending()
    kindCounts = InlineArray(repeating: 0)
    lastReport = nil
  }

  /// The longest time between two epochs of a stream, milliseconds; across a longer hole the number
  /// of days that passed is unknown.
  private static let longestHold = 60_000

  /// Keeps the date of an earlier epoch at `time`: over midnight, but not over a longer hole or a
  /// jump.
  private mutating func holdDate(at time: Int) {
    guard let dateTime, let day = date else { return }
    let forward = time - dateTime
    if (0...Self.longestHold).contains(forward) {
      self.dateTime = time
    } else if forward < 0, forward + 86_400_000 <= Self.longestHold {
      date = CivilDate(daysSince1970: day.daysSince1970 + 1)
      self.dateTime = time
    } else {
      date = nil
    }
  }

  private mutating func mergePending() {
    guard !pending.isEmpty else { return }
    if !isPublished { for report in pending { content.merge(report) } }
    pending.removeAll(keepingCapacity: true)
  }

  // MARK: the receiver's rhythm

  /// Learns the rhythm if two epochs in a row have the same end, and forgets it at another end. So
  /// the rhythm is a function of the last two epochs: a reader that begins two epochs earlier knows
  /// the same.
  private mutating func learnRhythm() {
    guard let lastReport, CycleEnd.ordinals.contains(lastReport.ordinal) else { return }
    if lastReport == candidate {
      candidateCount += 1
    } else {
      candidate = lastReport
      candidateCount = 1
    }
    rhythm = candidateCount >= 2 ? candidate : nil
  }

  private mutating func count(_ report: NMEAReport) -> CycleEnd {
    let kind = Int(report.kind.rawValue)
    kindCounts[kind] &+= 1
    kindTalkers[kind] = report.talker
    let place = CycleEnd(
      kind: report.kind, talker: report.talker, ordinal: Int(kindCounts[kind]),
      leads: order.leads)
    // If sentences without a time lead, none of them ends an epoch.
    guard !order.leads || report.kind.isTimed else { return place }
    lastReport = place
    if isPublished, place != rhythm {
      // A sentence came after the supposed end, so the rhythm is another.
      rhythm = nil
    }
    return place
  }

  private mutating func publish(_ body: (Fix) -> Void) {
    guard hasEpoch, !isPublished else { return }
    isPublished = true
    book.endEpoch()
    if order.leads { book.beginEpoch() }
    if content.isAboutPosition { body(content.told(on: date)) }
  }
}
