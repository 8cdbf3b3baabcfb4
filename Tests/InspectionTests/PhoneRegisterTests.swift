import Foundation
import Inspection
import TestSupport
import Testing
import TimeAndText

@Suite("The phones of a field unit")
struct PhoneRegisterTests {
  private static let ines = Person(agency: "north", login: "ines", role: .inspector)
  private static let jana = Person(agency: "north", login: "jana", role: .inspector)
  private static let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  private func redeem(
    _ register: inout PhoneRegister, _ code: String, name: String = "Phone",
    for person: Person = ines, at now: DeviceTime = now
  ) throws(PairingRefusal) -> PairedPhone {
    try register.redeem(
      digest: code, for: person, name: name, phone: Identifier(at: now),
      tokenDigest: "token of \(code)", at: now
    )
  }

  @Test("a code pairs one phone, for its inspector alone")
  func once() throws {
    var register = PhoneRegister()
    register.issue(digest: "a", for: Self.ines, at: Self.now)
    let phone = try redeem(&register, "a")
    #expect(phone.works(as: Self.ines) && !phone.works(as: Self.jana))
    #expect(register.phone(tokenDigest: "token of a", of: Self.ines) == phone)
    #expect(register.phone(tokenDigest: "token of a", of: Self.jana) == nil)
    #expect(throws: PairingRefusal.used) { try redeem(&register, "a") }
    register.end(phone.id)
    #expect(register.phone(tokenDigest: "token of a", of: Self.ines) == nil)
    #expect(throws: PairingRefusal.used) { try redeem(&register, "a") }
  }

  @Test("the first page tells of wrong codes for twenty minutes")
  func toldGuesses() throws {
    var register = PhoneRegister()
    #expect(register.guesses(at: Self.now) == 0)
    register.issue(digest: "a", for: Self.ines, at: Self.now)
    #expect(throws: PairingRefusal.self) { try redeem(&register, "b") }
    #expect(register.guesses(at: Self.now) == 1)
    #expect(register.guesses(at: Self.now.advanced(bySeconds: 1199)) == 1)
    #expect(register.guesses(at: Self.now.advanced(bySeconds: 1200)) == 0)
    #expect(register.guesses(at: Self.now.advanced(bySeconds: -1)) == 0)
  }

  @Test(
    "a code pairs no phone while somebody else is signed in, and the phone starts with its lens")
  func signedIn() throws {
    var register = PhoneRegister()
    let lens = try #require(LensOffset(metres: 1.5, uncertaintyMetres: 0.3))
    register.issue(digest: "a", for: Self.ines, lens: lens, at: Self.now)
    #expect(throws: PairingRefusal.noCode) { try redeem(&register, "a", for: Self.jana) }
    let phone = try redeem(&register, "a")
    #expect(phone.lens == lens)
    let isSet = register.set(lens: .none, of: phone.id)
    #expect(isSet && register.phones[0].lens == LensOffset.none)
    let isOfAnother = register.set(lens: lens, of: "another")
    #expect(!isOfAnother)
  }

  @Test(
    "a code of yesterday, of a clock that was set back, and one that a new one replaced pair nothing"
  )
  func times() throws {
    var register = PhoneRegister()
    #expect(throws: PairingRefusal.noCode) { try redeem(&register, "a") }
    register.issue(digest: "a", for: Self.ines, at: Self.now)
    let almost = Self.now.advanced(bySeconds: PhoneRegister.codeSeconds - 0.001)
    #expect(register.code?.holds(at: almost) == true)
    for seconds in [PhoneRegister.codeSeconds, 86_400, -1] {
      let later = Self.now.advanced(bySeconds: seconds)
      #expect(register.code?.holds(at: later) == false)
      #expect(throws: PairingRefusal.expired) { try redeem(&register, "a", at: later) }
    }
    register.issue(digest: "b", for: Self.ines, at: Self.now)
    #expect(throws: PairingRefusal.wrong(triesLeft: 4)) { try redeem(&register, "a") }
    _ = try redeem(&register, "b", at: almost)
  }

  @Test("five wrong codes end a code, each is told, and those who are in stay in")
  func guesses() throws {
    var register = PhoneRegister()
    register.issue(digest: "a", for: Self.ines, at: Self.now)
    let phone = try redeem(&register, "a")
    register.issue(digest: "b", for: Self.ines, at: Self.now)
    for left in (1...4).reversed() {
      #expect(throws: PairingRefusal.wrong(triesLeft: left)) { try redeem(&register, "x") }
    }
    #expect(throws: PairingRefusal.spent) { try redeem(&register, "x") }
    #expect(throws: PairingRefusal.noCode) { try redeem(&register, "x") }
    #expect(throws: PairingRefusal.spent) { try redeem(&register, "b") }
    #expect(register.wrongCodes == 6)
    #expect(register.phone(tokenDigest: "token of a", of: Self.ines) == phone)
    register.issue(digest: "c", for: Self.ines, at: Self.now)
    #expect(register.wrongCodes == 0)
  }

  @Test("of 100,000 wrong codes none is accepted")
  func flood() {
    forEachSeed(0..<1) { _, random in
      var register = PhoneRegister()
      for _ in 0..<20_000 {
        register.issue(digest: PairingCode(using: &random).text, for: Self.ines, at: Self.now)
        for _ in 0..<PhoneRegister.triesAtMost {
          let guess = PairingCode(using: &random).text
          #expect(throws: PairingRefusal.self) { try redeem(&register, guess) }
        }
      }
      #expect(register.phones.isEmpty)
    }
  }

  @Test("there are eight phones at most, each with a name, and signing out ends them all")
  func full() throws {
    var register = PhoneRegister()
    for number in 0..<PhoneRegister.phonesAtMost {
      register.issue(digest: "\(number)", for: number == 0 ? Self.jana : Self.ines, at: Self.now)
      if number == 1 {
        for name in ["", String(repeating: "x", count: 41)] {
          #expect(throws: PairingRefusal.name) { try redeem(&register, "1", name: name) }
        }
      }
      _ = try redeem(&register, "\(number)", for: number == 0 ? Self.jana : Self.ines)
    }
    register.issue(digest: "z", for: Self.ines, at: Self.now)
    #expect(throws: PairingRefusal.full) { try redeem(&register, "z") }
    register.endAll(of: Self.ines)
    #expect(register.phones.map(\.login) == ["jana"] && register.code == nil)
  }

  @Test("that a phone was heard is noted once a minute, whatever the clock does")
  func heard() throws {
    var register = PhoneRegister()
    register.issue(digest: "a", for: Self.ines, at: Self.now)
    let id = try redeem(&register, "a").id
    var told: [Bool] = []
    for seconds in [59, 60, -86_400.0] {
      told.append(register.hear(id, at: Self.now.advanced(bySeconds: seconds)))
    }
    told.append(register.hear("nobody", at: Self.now))
    #expect(told == [false, true, true, false])
    #expect(register.phones.first?.lastHeard == Self.now.advanced(bySeconds: -86_400))
  }

  @Test("a code is read as people type it, and nothing else is a code")
  func typed() {
    forEachSeed(0..<50) { _, random in
      let code = PairingCode(using: &random)
      #expect(code.text.count == 26 && code.description.count == 31)
      #expect(PairingCode(code.description) == code)
      #expect(PairingCode(" \(code.description.lowercased())\n") == code)
      let mistaken = code.text.replacing("0", with: "o").replacing("1", with: "l")
      #expect(PairingCode(mistaken) == code)
    }
    for text in ["", "A", String(repeating: "U", count: 26), String(repeating: "0", count: 27)] {
      #expect(PairingCode(text) == nil, "\(text)")
    }
    #expect(PairingCode(String(repeating: "0", count: 1 << 20)) == nil)
  }
}
