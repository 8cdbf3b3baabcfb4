import Foundation
import Imports
import Inspection
import Receivers
import Store
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit
@testable import Positioning

@Suite("Home, its lights, and the first start", .timeLimit(.minutes(5)))
struct HomePagesTests {
  /// Returns the row of a light by its name.
  private func row(_ name: String, _ page: String) -> String {
    page.split(separator: "<li class=\"light ").map(String.init)
      .first { $0.contains("<strong>\(name)</strong>") } ?? ""
  }

  @Test("without a receiver the position is red and says so, and nothing is said to be heard")
  func noReceiver() async throws {
    try await FieldSite.with(hasReceiver: false) { site in
      try await site.signIn()
      let home = try await site.browser.get("/").body
      let position = row("Position", home)
      #expect(position.hasPrefix("light-bad"))
      #expect(position.contains("No receiver: start the field unit with --gnss SOURCE."))
      for name in ["Galileo", "Dual frequency", "SBAS"] {
        #expect(row(name, home).hasPrefix("light-warn"), "\(name)")
      }
      #expect(row("Clock", home).contains("the receiver gives no date now"))
      for name in ["Camera", "Motion sensors"] {
        #expect(row(name, home).hasPrefix("light-warn"), "only the browser knows of \(name)")
      }
    }
  }

  @Test("a fix is green with its accuracy; the same fix later is red, whatever it was")
  func staleFix() async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      #expect(row("Position", try await site.browser.get("/").body).contains("No fix yet"))
      try await site.server.follower?.run()
      let home = try await site.browser.get("/").body
      #expect(row("Position", home).hasPrefix("light-good"))
      #expect(row("Position", home).contains("±") && row("Position", home).contains("satellites"))
      #expect(row("Clock", home).hasPrefix("light-good"), "\(row("Clock", home))")
      let galileo = row("Galileo", home)
      #expect(
        galileo.hasPrefix("light-good")
          && galileo.contains("last heard <time datetime=\"2026-06-01T09:"))
      #expect(row("SBAS", home).contains("not seen yet from this receiver"))
      let clock = site.scene.clock
      clock.advance(to: clock.elapsed.advanced(bySeconds: 20), limit: nil)
      let later = try await site.browser.get("/").body
      let position = row("Position", later)
      #expect(position.hasPrefix("light-bad") && position.contains("No fix for 2"), "\(position)")
      #expect(row("Clock", later).hasPrefix("light-warn"), "an old fix's time is no time")
      #expect(row("Galileo", later) == galileo, "when it was heard last does not change")
      // The memory of one receiver says nothing about another.
      try await site.server.useReceiver("tcp://127.0.0.1:9")
      let other = row("Galileo", try await site.browser.get("/").body)
      #expect(other.hasPrefix("light-warn") && other.contains("not seen yet"))
    }
  }

  @Test(
    "a clock that is wrong is yellow beyond two seconds and red beyond a minute, with the direction",
    arguments: [
      (0.0, "light-good", "from the receiver"), (5.0, "light-warn", "ahead of the receiver"),
      (-5.0, "light-warn", "behind the receiver"), (50.0, "light-warn", "ahead"),
      (90.0, "light-bad", "set its clock before you take photos"),
      (-4000.0, "light-bad", "66 min behind"), (-34_560_000.0, "light-bad", "d behind"),
    ] as [(Double, String, String)])
  func wrongClock(seconds: Double, state: String, words: String) async throws {
    try await FieldSite.with(secondsAhead: seconds) { site in
      try await site.signIn()
      try await site.server.follower?.run()
      let light = row("Clock", try await site.browser.get("/").body)
      #expect(light.hasPrefix(state) && light.contains(words), "\(light)")
    }
  }

  @Test("a disk below a day of photos is red, below three days yellow, and says how many fit")
  func disk() async throws {
    let day = PhotoRoom.photosADay * PhotoRoom.leastBytesOfPhoto
    for (free, state, words) in [
      (day - 1, "light-bad", "a day of photos needs"), (day, "light-warn", "about 200 photos"),
      (3 * day, "light-good", "about 600 photos"), (0, "light-bad", "0 B free"),
      (nil, "light-warn", "not known"),
    ] as [(Int?, String, String)] {
      try await FieldSite.with(freeBytes: free) { site in
        try await site.signIn()
        let light = row("Disk", try await site.browser.get("/").body)
        #expect(light.hasPrefix(state) && light.contains(words), "\(light)")
      }
    }
    #expect(!PhotoRoom(freeBytes: .max, meanBytesOfPhoto: .max / 1000).isLow)
    #expect(PhotoRoom(freeBytes: -5, meanBytesOfPhoto: nil).photos == 0)
    let large = PhotoRoom(freeBytes: day, meanBytesOfPhoto: 20_000_000)
    #expect(large.isLow, "what photos here take counts where it is more")
  }

  @Test("home counts tasks, photos and what waits, and leads to every part")
  func counters() async throws {
    try await FieldSite.with { site in
      let time = site.scene.clock.deviceTime
      site.office.order([
        InspectionTask(
          id: Identifier(at: time), agency: "north", inspector: "ines", name: "Beet", type: "beet",
          instructions: "", created: time)
      ])
      try await site.signIn()
      _ = try await site.scene.capture(site.scene.request())
      let photo = try #require(try site.server.unit()?.photos().first)
      try site.server.unit()?.sendPhotos([photo.id])
      let home = try await site.browser.get("/").body
      for (name, address) in [
        ("Open tasks", "/tasks"), ("Photos", "/photos"), ("Waiting", "/outbox"),
      ] {
        #expect(
          home.contains("<a href=\"\(address)\"><span class=\"number\">1</span> \(name)</a>"))
      }
      #expect(row("Outbox", home).contains("1 entries waiting"))
      for address in [
        "/photos", "/tasks", "/map", "/tracks", "/sky", "/settings", "/about", "/camera", "/outbox",
        "/start", "/sign-out",
      ] {
        #expect(home.contains("href=\"\(address)\""), "\(address)")
      }
      for word in ["Inspector", "Agency", "Office", "Device", "System", "Software version"] {
        #expect(home.contains("<dt>\(word)</dt>"), "\(word)")
      }
      let figures = try #require(try site.server.unit()?.figures())
      #expect(figures.bytesOfPhoto == photo.bytes)
    }
  }

  @Test("home offers each next task with its camera, and says when nothing is to be done")
  func nextTasks() async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      #expect(try await site.browser.get("/").body.contains("No task to do."))
      let unit = try #require(try site.server.unit())
      let names = ["Beet", "Rye", "Oats", "Hops"]
      let tasks = try unit.importTasks(names.map { TaskOrder(name: $0) })
      let home = try await site.browser.get("/").body
      let offered = tasks.filter { home.contains("href=\"/camera?task=\($0.id)\"") }
      #expect(offered.count == NextTasks.shownAtMost)
      for task in offered {
        #expect(home.contains("aria-label=\"Take a photo for &quot;\(task.name)&quot;\""))
        #expect(home.contains("href=\"/tasks/\(task.id)\""))
      }
      let list = try await site.browser.get("/tasks").body
      #expect(tasks.allSatisfy { list.contains("href=\"/camera?task=\($0.id)\"") })
    }
  }

  @Test(
    "the list of the next tasks is kept for a second of the clock, however often it is asked for")
  func pacedNext() async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      let (unit, next) = (try #require(try site.server.unit()), PacedPart())
      let pages = HomePages(server: site.server)
      let before = await pages.homeFragment(unit, next).text
      #expect(before.contains("No task to do."))
      _ = try unit.importTasks([TaskOrder(name: "Beet")])
      let kept = await pages.homeFragment(unit, next).text
      #expect(kept.contains("No task to do."))
      let clock = site.scene.clock
      clock.advance(to: clock.elapsed.advanced(bySeconds: 1), limit: nil)
      let later = await pages.homeFragment(unit, next).text
      #expect(later.contains("<strong>Beet</strong>") && !later.contains("No task to do."))
    }
  }

  @Test("the first start comes by itself once, has a step for each thing, and can be left at each")
  func firstStart() async throws {
    try await FieldSite.with { site in
      #expect(try await site.browser.get("/start").location == "/sign-in")
      #expect(try await site.signIn().location == "/start?done=signed-in")
      let first = try await site.browser.get("/start?done=signed-in").body
      #expect(first.contains("You are signed in.") && first.contains("Step 1 of 5"))
      var titles: Set<String> = []
      for step in StartStep.allCases {
        let page = try await site.browser.get("/start?step=\(step.rawValue)")
        #expect(page.status == 200)
        let title = page.body.split(separator: "<h1>")[1].prefix { $0 != "<" }
        #expect(titles.insert(String(title)).inserted, "\(title) twice")
        #expect(page.body.contains("href=\"/\""))
        if let next = step.next {
          #expect(page.body.contains("href=\"/start?step=\(next.rawValue)\""))
        }
      }
      let hostile = try await site.browser.get("/start?step=%3Cscript%3E")
      #expect(hostile.body.contains("Step 1 of 5"))
      _ = try await site.browser.post("/sign-out")
      #expect(try await site.signIn().location == "/?done=signed-in", "once is enough")
    }
  }

  @Test("what was heard belongs to one receiver; two bands of one constellation are needed")
  func reception() throws {
    let clock = ReplayClock(start: DeviceTime(millisecondsSince1970: 0), rate: .infinity)
    let memory = ReceptionMemory()
    let (one, other) = (
      ReceiverSource.tcp(host: "a", port: 1), ReceiverSource.tcp(host: "b", port: 1)
    )
    func satellite(
      _ constellation: Constellation, _ signals: [Int], strength: Double? = 40
    ) -> Satellite {
      var made = Satellite(constellation: constellation, id: 5, isUsed: false)
      made.carrierToNoiseDecibelHertz = strength
      made.signals = signals.compactMap { SatelliteSignal(constellation: constellation, id: $0) }
      return made
    }
    var second = 0.0
    func note(_ source: ReceiverSource, _ sky: [Satellite]) {
      second += 1
      clock.advance(to: ElapsedTime(milliseconds: Int64(second * 1000)), limit: nil)
      memory.note(of: source, at: clock) { sky }
    }
    note(one, [satellite(.galileo, [7], strength: nil)])
    #expect(memory.lastHeard(.galileo, from: one) == nil, "seen in the almanac is not heard")
    // Bands of two constellations are no dual frequency.
    note(one, [satellite(.galileo, [7]), satellite(.gps, [8])])
    #expect(memory.lastHeard(.galileo, from: one)?.elapsed.milliseconds == 2000)
    #expect(memory.lastHeard(.dualFrequency, from: one) == nil)
    #expect(memory.namesSignals(from: one) && !memory.namesSignals(from: other))
    note(one, [satellite(.gps, [1, 8]), satellite(.sbas, [])])
    #expect(memory.lastHeard(.dualFrequency, from: one)?.deviceTime.millisecondsSince1970 == 3000)
    #expect(memory.lastHeard(.augmentation, from: one) != nil)
    #expect(memory.lastHeard(.galileo, from: one)?.elapsed.milliseconds == 2000)
    #expect(memory.lastHeard(.galileo, from: other) == nil)
    note(other, [])
    for kind in ReceptionMemory.Kind.allCases {
      #expect(
        memory.lastHeard(kind, from: one) == nil && memory.lastHeard(kind, from: other) == nil)
    }
    note(one, [satellite(.galileo, [])])
    memory.forget()
    #expect(memory.lastHeard(.galileo, from: one) == nil)
  }
}
