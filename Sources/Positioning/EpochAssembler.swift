import Geodesy

// A receiver tells one instant in several sentences, in an order of its own, and repeats the time
// in some of them only. The obvious way is to publish a fix at each position sentence: then speed,
// mode and uncertainty belong to the second before. Waiting for the time to change is right but a
// second late, which is a long time in front of a shutter. So the reports of one instant are
// collected until the time changes, or until the sentence arrives with which this receiver has
// ended its last epochs. Cost: constant for each sentence, no allocation but for satellites.

/// The reports of one epoch become one `Fix`.
public struct EpochAssembler: Sendable {
  /// With which sentence this receiver ends an epoch; nil until its rhythm is known. Where sentences
  /// without a time lead, what looks like the end so far.
  public var cycleEnd: CycleEnd? { rhythm ?? (order.leads ? candidate : nil) }

  private var rhythm: CycleEnd?
  private var content = EpochContent()
  /// Where the receiver leads with what carries no time: what has come since the last sentence that
  /// does. It belongs to this epoch if another of its sentences follows, otherwise to the next one.
  private var pending: [NMEAReport] = []
  private static let pendingLimit = 16
  private var order: SentenceOrder
  private var hasEpoch = false
  private var isPublished = false
  private var date: CivilDate?
  private var dateTime: Int?
  private var kindCounts = InlineArray<16, UInt8>(repeating: 0)
  /// Who has sent each kind in this epoch, last.
  private var kindTalkers = InlineArray<16, UInt16>(repeating: 0)
  private var lastReport: CycleEnd?
  private var candidate: CycleEnd?
  private var candidateCount = 0
  private var book = SkyBook()

  /// `cycleEnd` and `leads` are what an earlier part of the same stream had taught: with which sentence
  /// an epoch ends, and whether sentences without a time belong to the epoch after them.
  public init(cycleEnd: CycleEnd? = nil, leads: Bool? = nil) {
    rhythm = cycleEnd
    order = SentenceOrder(leads: leads ?? cycleEnd?.leads)
    candidate = cycleEnd
    candidateCount = cycleEnd == nil ? 0 : 2
    pending.reserveCapacity(Self.pendingLimit)
  }

  /// Whether this receiver's sentences without a time belong to the epoch that follows them.
  var leads: Bool { order.leads }

  private var timeOfDay: Int? { hasEpoch ? content.fix.time.millisecondsSinceMidnight : nil }

  /// The satellites of the last complete tellings.
  public var sky: [Satellite] {
    book.satellites(at: timeOfDay)
  }
  /// What the receiver has shown that it can hear.
  public var capability: ReceiverCapability { book.capability }

  /// Takes one GSV. Satellites in view come only every few epochs with many receivers, and in varying
  /// numbers: they never end an epoch, and an epoch does not wait for them.
  mutating func noteInView(_ sentence: NMEASentence, talker: UInt16) {
    book.noteInView(sentence, talker: talker, at: timeOfDay)
  }

  /// Takes the satellites of one GSA; what it says of the solution comes as a report.
  mutating func noteUsed(_ sentence: NMEASentence) {
    book.noteUsed(sentence)
  }

  /// Takes one report; `body` is called for each epoch that it completes: the one before when the
  /// time has changed, and its own when it ends it. True when the time has gone backwards.
  mutating func accept(_ report: NMEAReport, _ body: (Fix) -> Void) -> Bool {
    var isBackwards = false
    if let time = report.millisecondsSinceMidnight {
      if time != timeOfDay {
        endEpoch(body)
        isBackwards = isBefore(time)
        begin(time: time)
      }
    } else if report.kind.isTimed {
      // A timed sentence without its time. Where the same talker has told this epoch with one, the
      // receiver has lost its fix and no longer says when; anybody else's is no matter of this epoch.
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
    // Where the supposed end comes first for once, the position is still to come.
    if place == rhythm, content.isTold { publish(body) }
    return isBackwards
  }

  /// The stream has ended or broken off: the epoch so far is all there is of it, and where it was
  /// torn says nothing about the receiver's rhythm.
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

  /// Midnight is no step back.
  private func isBefore(_ time: Int) -> Bool {
    guard let timeOfDay else { return false }
    let step = time - timeOfDay
    return step < 0 && step > -43_200_000
  }

  /// The time has changed.
  private mutating func endEpoch(_ body: (Fix) -> Void) {
    publish(body)
    learnRhythm()
    // Where the receiver leads with its satellites, those of the next epoch have been told by now.
    if !order.leads { book.beginEpoch() }
    if order.endEpoch() {
      // What counts as an epoch's last sentence is another from now on.
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

  /// Epochs of one stream follow each other within this, milliseconds; across a longer hole nobody
  /// knows how many days went by.
  private static let longestHold = 60_000

  /// The date was said for an earlier epoch: it holds over midnight, and over no jump.
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

  /// Two epochs in a row with the same end teach it, and one with another end unteaches it. So the
  /// rhythm is a function of the last two epochs: whoever begins two epochs earlier knows the same.
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
    // Where what carries no time leads, it ends no epoch.
    guard !order.leads || report.kind.isTimed else { return place }
    lastReport = place
    if isPublished, place != rhythm {
      // Something came after the supposed end: the rhythm was another.
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
