import Foundation
import TestSupport
import Testing

/// Tests of the beginning as people type it: people from a file, one-time codes, `login --code`.
@Suite("The beginning from a terminal")
struct EnrolmentCommandTests {
  private func run(_ arguments: [String], data: URL) async throws -> Program.Outcome {
    try await Program.run(
      Program.standpoint, arguments,
      environment: [
        "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent", "STANDPOINT_DATA": data.path,
      ])
  }

  @Test("people come from a file, all or none, and each fault is named with file and line")
  func people() async throws {
    try await withTemporaryDirectory { folder in
      #expect(try await run(["office", "agency", "add", "north"], data: folder).status == 0)
      let file = folder.appendingPathComponent("people.csv")
      func write(_ text: String) throws {
        try Data(text.utf8).write(to: file)
      }
      let words = ["office", "user", "import", file.path, "--agency", "north"]
      try write("login,role\nines,\nines,\n,officer\n")
      let bad = try await run(words, data: folder)
      #expect(bad.status == 2 && bad.output == "")
      #expect(bad.errors.contains("\(file.path):3: the login ines was in line 2 already"))
      #expect(bad.errors.contains("\(file.path):4: it has no login"))
      #expect(bad.errors.hasSuffix("nobody was added\n"))
      try write("login,name\nines,Inés\n")
      let look = try await run(words + ["--dry-run"], data: folder)
      #expect(look.output == "would add inspector ines\n", "\(look.errors)")
      let good = try await run(words, data: folder)
      #expect(good.status == 0 && good.output == "added inspector ines\n", "\(good.errors)")
      let again = try await run(words + ["--format", "json"], data: folder)
      #expect(again.output == "{\"agency\":\"north\",\"new\":0,\"taken\":false,\"unchanged\":1}\n")
      #expect(
        try await run(
          ["office", "user", "import", folder.path + "/none.csv", "--agency", "north"], data: folder
        ).status == 2)
      #expect(
        try await run(
          ["office", "user", "import", file.path, "--agency", "nort"], data: folder
        ).errors.contains("north"))
    }
  }

  @Test("an inspector is invited, with the QR code if the office's address is given")
  func invited() async throws {
    try await withTemporaryDirectory { folder in
      #expect(try await run(["office", "agency", "add", "north"], data: folder).status == 0)
      try Data("login,role,password\nines,,\nanna,administrator,kestrel over barley\n".utf8).write(
        to: folder.appendingPathComponent("people.csv"))
      _ = try await run(
        ["office", "user", "import", folder.path + "/people.csv", "--agency", "north"], data: folder
      )
      let code = try await run(["office", "user", "invite", "ines"], data: folder)
      #expect(code.output.contains(#/^[0-9A-Z]{4}-[0-9A-Z]{4}  ines, until .*Z\n$/#))
      let drawn = try await run(
        ["office", "user", "invite", "ines", "--office", "https://office.example"], data: folder)
      #expect(drawn.status == 0 && drawn.output.contains("▀"))
      let told = try await run(
        ["office", "user", "invite", "ines", "--office", "https://o.example", "--format", "json"],
        data: folder)
      #expect(told.output.contains("standpoint:sign-in?office=https://o.example&code="))
      for (words, status) in [
        (["nobody"], 2), (["anna"], 1), (["ines", "--office", "o.example"], 2),
        (["ines", "--tls-cert", "/nonexistent"], 2),
      ] {
        let refused = try await run(["office", "user", "invite"] + words, data: folder)
        #expect(refused.status == status && refused.output == "", "\(words): \(refused.errors)")
      }
    }
  }

  @Test("login takes a login or a code, and says what is wrong with either")
  func login() async throws {
    try await withTemporaryDirectory { folder in
      for (words, status, said) in [
        ([], 2, "Give either --user LOGIN or --code CODE."),
        (["--user", "ines", "--code", "K7PM3XQ9"], 2, "Give either"),
        (["--code", "K7PM3XQ"], 2, "no code of eight characters"),
        (["--code", "K7PM3XQ9"], 2, "Give --office URL"),
        (["--code", "K7PM3XQ9", "--office", "http://127.0.0.1:1"], 3, "could not be reached"),
        (["--code", "K7PM3XQ9", "--office", "http://office.example"], 2, "use https"),
      ] as [([String], Int32, String)] {
        let outcome = try await run(["login"] + words, data: folder)
        #expect(outcome.errors.contains(said), "\(words): \(outcome.errors)")
        #expect(outcome.status == status, "\(words)")
      }
    }
  }
}
