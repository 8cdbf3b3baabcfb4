import Testing

@testable import Inspection

@Suite("Files that an order carries")
struct AttachmentsTests {
  private func file(_ name: String, _ number: Int = 1, bytes: Int = 1000) -> AttachedFile {
    let digit = String(number, radix: 16)
    return AttachedFile(
      name: name, kind: .pdf, digest: String(repeating: digit, count: 64), bytes: bytes)
  }

  @Test("a file is what its first bytes say, whatever its name is")
  func kinds() {
    #expect(AttachedFile.Kind(of: Array("%PDF-1.7\n".utf8)) == .pdf)
    #expect(AttachedFile.Kind(of: [0xFF, 0xD8, 0xFF, 0xE1]) == .jpeg)
    for program in [
      "MZ\u{90}", "\u{7F}ELF", "#!/bin/sh", "PK\u{3}\u{4}", " %PDF-1.7", "<html>", "",
    ] {
      #expect(AttachedFile.Kind(of: Array(program.utf8)) == nil, "\(program)")
    }
  }

  @Test("a file's name has no folders and no signs that a screen hides")
  func titles() {
    #expect(AttachedFile.title(ofFile: "C:\\Files\\plan.pdf") == "plan.pdf")
    #expect(AttachedFile.title(ofFile: "../../etc/pla\u{0}n\u{202E}.pdf\n") == "plan.pdf")
    #expect(AttachedFile.title(ofFile: String(repeating: "á", count: 500)).count == 120)
    #expect(AttachedFile.title(ofFile: "/") == "")
    #expect(AttachedFile.Kind.pdf.name("run.html") == "run.html.pdf")
    #expect(AttachedFile.Kind.pdf.name("Plan.PDF") == "Plan.PDF")
    #expect(AttachedFile.Kind.jpeg.name("a.jpeg") == "a.jpeg")
    #expect(AttachedFile.Kind.jpeg.name(String(repeating: "x", count: 120)).count == 120)
  }

  @Test("each file has a name and bytes of its own, and all together 20 MB at most")
  func rules() throws {
    let two = try Attachments([file("a", 1), file("b", 2)])
    #expect(two.bytes == 2000 && two.without(digest: file("a", 1).digest).list == [file("b", 2)])
    #expect(two.file(digest: file("b", 2).digest)?.name == "b")
    func fault(_ list: [AttachedFile]) -> AttachmentFault? {
      do {
        _ = try Attachments(list)
        return nil
      } catch {
        return error
      }
    }
    #expect(fault([file(" ")]) == .name)
    #expect(fault([file(String(repeating: "x", count: 121))]) == .name)
    #expect(fault([file("a", bytes: 0)]) == .empty("a"))
    #expect(fault([file("a", 1), file("a", 2)]) == .nameTwice("a"))
    #expect(fault([file("a", 1), file("b", 1)]) == .twice("b", "a"))
    #expect(fault([file("a", bytes: 20_000_000)]) == nil)
    #expect(fault([file("a", bytes: 20_000_000), file("b", 2, bytes: 1)]) == .tooLarge("b"))
    #expect(fault([file("a", bytes: .max), file("b", 2, bytes: .max)]) == .tooLarge("a"))
    let short = AttachedFile(name: "a", kind: .pdf, digest: "../x", bytes: 1)
    #expect(fault([short]) == .empty("a"))
    let many = (0...Attachments.filesAtMost).map { number in
      let digest = String(repeating: "0", count: 62) + (number < 16 ? "0" : "1")
      return AttachedFile(
        name: "\(number)", kind: .jpeg, digest: digest + String(number % 16, radix: 16), bytes: 1)
    }
    #expect(fault(many) == .tooMany && fault(Array(many.dropLast())) == nil)
  }

  @Test("a task brings its attachments and each example picture once")
  func digests() throws {
    let example = String(repeating: "e", count: 64)
    func shot(_ name: String, _ example: String?) throws -> OrderItem {
      OrderItem(
        name: try #require(ItemName(name)), wording: name,
        content: .shot(WantedShot(example: example)))
    }
    let items = try OrderItems([shot("a", example), shot("b", nil), shot("c", example)])
    #expect(items.exampleDigests == [example])
    #expect(throws: ItemFault.self) { try OrderItems([shot("a", "E" + example.dropFirst())]) }
  }
}
