import Geodesy
import Inspection
import Positioning
import Testing
import TimeAndText

@Suite("The rule for moving a photo to another item")
struct PhotoMoveRuleTests {
  private func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }

  private func photo(_ item: ItemName? = nil) throws -> Photo {
    let now = DeviceTime(millisecondsSince1970: 1_780_302_600_000)
    return Photo(
      id: Identifier(at: now), agency: "north", inspector: "ines", task: Identifier(at: now),
      item: item, origin: .egnss4cap, gnssTime: now.gnssTime, deviceTime: now,
      position: PhotoPosition(
        kept: try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16)),
        ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil, uncertaintyMetres95: 2,
        method: .fix), standpoint: nil, orientation: nil,
      camera: .assumed(widthPixels: 4, heightPixels: 3),
      fileDigest: String(repeating: "0", count: 64), bytes: 1, widthPixels: 4, heightPixels: 3,
      isSimulated: false)
  }

  /// Returns the refusal of a photo that is to be moved; nil if it may be.
  private func refusal(
    _ photo: Photo, to target: String? = nil, in state: TaskState = .dataProvided,
    _ verdicts: ItemVerdicts = .none
  ) throws -> ItemRefusal? {
    let order = try OrderItems([
      OrderItem(name: name("roof"), wording: "The roof", content: .shot(WantedShot())),
      OrderItem(
        name: name("round"), wording: "All round",
        content: .shot(WantedShot(set: NeededSet(kind: .around, sectors: 72)))),
      OrderItem(name: name("ripe"), wording: "Ripe?", content: .question(Question(.yesOrNo))),
    ])
    let item = try target.map { try name($0) }
    do {
      try PhotoMoveRule.require(photo, to: item, of: order, in: state, verdicts)
      return nil
    } catch InspectionError.item(let refusal) {
      return refusal
    }
  }

  @Test("a photo without an item is moved to a shot, or left to the first open one")
  func allowed() throws {
    let photo = try photo()
    #expect(try refusal(photo, to: "roof") == nil)
    #expect(try refusal(photo, to: nil) == nil)
    #expect(PhotoMoveRule.refusal(of: photo, in: .dataProvided, .none) == nil)
  }

  @Test("it goes to no set, no question and no item that the order has not")
  func target() throws {
    let photo = try photo()
    #expect(try refusal(photo, to: "round") == .noShot(name("round")))
    #expect(try refusal(photo, to: "ripe") == .noShot(name("ripe")))
    #expect(try refusal(photo, to: "gone") == .unknown("gone"))
  }

  @Test("a photo whose record names an item stays there, even if the order has it no more")
  func named() throws {
    for item in ["roof", "gone"] {
      let refusal = try refusal(photo(name(item)), to: "roof")
      #expect(refusal == .photoNames(try name(item)))
      #expect(refusal?.wording.description.contains("names “\(item)”") == true)
    }
  }

  @Test("only a task that waits for a decision has photos that are moved")
  func states() throws {
    let photo = try photo()
    for state in TaskState.allCases where state != .dataProvided {
      #expect(try refusal(photo, in: state) == .photoNotWaiting(state))
    }
    #expect(
      try refusal(photo, in: .accepted)?.wording.description
        == "the task is Accepted: its photos can only be moved while it is Submitted")
  }

  @Test("a photo that a return has judged stays with its item")
  func judged() throws {
    let photo = try photo()
    for returned in ["dark", nil] {
      let verdict = ItemVerdict(item: try name("roof"), returned: returned, judged: [photo.id])
      #expect(
        try refusal(photo, to: "roof", ItemVerdicts(returns: [[verdict]])) == .photoJudged)
    }
    let other = ItemVerdict(item: try name("roof"), returned: "dark", judged: [])
    #expect(try refusal(photo, to: "roof", ItemVerdicts(returns: [[other]])) == nil)
  }
}
