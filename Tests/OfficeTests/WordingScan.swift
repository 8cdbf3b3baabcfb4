import OfficeScenes

/// A reader of a source, which finds the templates of its `Wording` literals as the compiler makes
/// them: an interpolation is a numbered placeholder, and pieces that are added are one sentence.
struct WordingScan {
  /// The code in front of sentences for people, which reach to the bracket's end; other literals in
  /// it have no blanks. A blank at the beginning stands for anything that is not part of a name.
  private static let openers = [
    "OfficeRefusal(", "FieldUnitError.camera(", "FieldUnitError.picture(",
    "FieldUnitError.unreadable(", "FieldUnitError.malformedSetting(", "GateRefusal(", "(refusal(",
    "DeliveryError.unreachable(", ".malformedAddress(", "malformedSource(", "LinkFailure(",
    ".says(", ".running(", "self.init(404", ": Wording {", ": Wording? {",
    "-> Wording {", "-> Wording? {", "-> [Wording] {", "[Wording]? {",
    "-> Wording in", ": [Wording] {",
    // The sentences of the verifier and of the readers of evidence and of messages.
    ".malformedJSON(", ".malformedSeal(", ".malformedRawWindow(", ".malformedKey(",
    ".malformedCertificate(", ".malformedEnrolment(", ".malformedReceipt(", ".malformedLog(",
    ".malformedList(",
    ".malformedRevocation(", ".malformedChallenge(", ".malformedPolicy(", ".compression(",
    "Problem(words:",
    ".malformedMessage(", "Mismatch(", " mismatch(", ".refused(",
    ".notAnOffice(", ".askedToWait(", ".officeFull(", ".unusablePin(",
    // The findings of an import, a pairing and a search for receivers.
    "ImportFault(", "ItemFault(", "ItemsJSONFault(", "AnswerFault(",
    "TaskFileError(", " wrong(", "BluetoothFailure(", "RadioFailure(", " progress(",
    ".remarks.append(", " late:",
    // The words about map services.
    ".unreachable(", ".notCapabilities(", ".noSuchLayer(", ".notPicture(",
  ]

  /// The openers of single files, which mean something else in other files.
  private static let ownOpeners = [
    "JSONReader.swift": [" error("], "Verifier.swift": [" add(", " refuse(", "Unread("],
    "Verifier+Certificates.swift": [" add(", "(.doubtful,"], "Verifier+FrameSets.swift": [" add("],
    "Verifier+Chains.swift": [" add("], "Verifier+Answers.swift": [" add("],
    "Verifier+List.swift": [" add("], "Verifier+Stamps.swift": [" add("],
    "Verifier+Challenges.swift": [" add("],
    "CertificateBook.swift": ["message:", "(.doubtful,", "(.note,", "(.altered,"],
    "CaptureChecks.swift": ["message:"], "PhotoEmbedding.swift": [" problems.append("],
    "OfficeStatement.swift": [" refusal("], "Intake+Chain.swift": [" words = ("],
    "Examination.swift": [" wording:"],
    "BluetoothDevice.swift": ["(.refused,", "(.unavailable,"],
    "PairingRun.swift": [".append("], "UnitDelivery+Reconciliation.swift": ["because:"],
    "ReceiverSurvey.swift": [" add(", " words.append("],
    "OrbitFile.swift": ["var title: String {"],
    "FieldPages.swift": [" Problem("],
    "ItemForm.swift": [" Fault("], "TemplatePages.swift": ["TableFault("],
    "OfficeProblem.swift": ["var title: String {"],
    "TaskTransition.swift": ["var participle: String {"],
    "WebProblem.swift": ["var words: (title: String, detail: String) {"],
  ]

  /// The files in which a single word is a sentence, too.
  private static let terse = [
    "Receiver.swift", "TaskTransition.swift", "BluetoothDevice.swift", "BluetoothDesk.swift",
  ]

  private let text: [Character]

  /// Returns the templates of a source's sentences.
  static func templates(in source: String, file: String) -> Set<String> {
    let name = String(file.split(separator: "/").last ?? "")
    let scan = WordingScan(text: Array(source))
    var found: [String] = []
    for opener in openers + (ownOpeners[name] ?? []) {
      for end in scan.ends(of: opener) { found += scan.sentences(from: end, isStatement: false) }
    }
    for opener in [": Wording =", ": Wording? =", ": [Wording] ="] {
      for end in scan.ends(of: opener) { found += scan.sentences(from: end, isStatement: true) }
    }
    return Set(
      found.filter { template in
        let words = template.replacing(#/\{[0-9]\}/#, with: "")
        return words.contains(#/[A-Za-z]{2}/#)
          && (words.contains(" ") || terse.contains(name))
      })
  }

  private func ends(of opener: String) -> [Int] {
    let isName = opener.hasPrefix(" ")
    let wanted = Array(isName ? opener.dropFirst() : opener[...])
    return text.indices.filter { start in
      text[start] == wanted[0] && start + wanted.count < text.count
        && text[start..<(start + wanted.count)].elementsEqual(wanted)
        && (!isName || start == 0 || !Self.isPartOfName(text[start - 1]))
    }.map { $0 + wanted.count }
  }

  private static func isPartOfName(_ sign: Character) -> Bool {
    sign.isLetter || sign.isNumber || "_.".contains(sign)
  }

  /// Returns a literal's pieces, nil for each interpolation, and its end.
  private func literal(at quote: Int) -> (pieces: [String?], end: Int) {
    var pieces: [String?] = []
    var words = ""
    var index = quote + 1
    while index < text.count, text[index] != "\"" {
      guard text[index] == "\\" else {
        words.append(text[index])
        index += 1
        continue
      }
      guard text[index + 1] == "(" else {
        words.append(text[index + 1] == "n" ? "\n" : text[index + 1])
        index += 2
        continue
      }
      var depth = 1
      index += 2
      while depth > 0, index < text.count {
        switch text[index] {
        case "\"": index = literal(at: index).end - 1
        case "(": depth += 1
        case ")": depth -= 1
        default: break
        }
        index += 1
      }
      pieces += [words, nil]
      words = ""
    }
    return (pieces + [words], index + 1)
  }

  /// Returns the sentences to the end of the bracket in which `start` stands, or of the statement.
  private func sentences(from start: Int, isStatement: Bool) -> [String] {
    var found: [[String?]] = []
    var depth = 0
    var gap = ""
    var index = start
    while index < text.count {
      let sign = text[index]
      if sign == "/", index + 1 < text.count, text[index + 1] == "/" {
        while index < text.count, text[index] != "\n" { index += 1 }
        continue
      }
      if sign == "\"" {
        let (pieces, end) = literal(at: index)
        let isMore = gap.allSatisfy { $0.isWhitespace || $0 == "+" } && gap.contains("+")
        if isMore, let last = found.indices.last {
          found[last] += pieces
        } else {
          found.append(pieces)
        }
        (gap, index) = ("", end)
        continue
      }
      if "([{".contains(sign) { depth += 1 }
      if ")]}".contains(sign) { depth -= 1 }
      if depth < 0 || isStatement && depth == 0 && sign == "," { break }
      if isStatement, depth == 0, sign == "\n", !found.isEmpty {
        let next = text[index...].first { !$0.isWhitespace }
        if !"?:+.".contains(next ?? " ") { break }
      }
      gap.append(sign)
      index += 1
    }
    return found.map { pieces in
      var number = 0
      return pieces.map { piece in
        if let piece { return piece }
        number += 1
        return "{\(number)}"
      }.joined()
    }
  }
}
