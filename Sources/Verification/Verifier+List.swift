import Evidence
import Inspection
import Positioning
import TimeAndText

// Checks of what a bundle says that it holds, and of files that nobody sealed.

extension Verifier {
  /// The receipts over the seals that were checked.
  public struct Witnesses: Hashable, Sendable {
    /// The number of seals that a receipt names.
    public var seals = 0
    /// The time of the first receipt; nil if there is none.
    public var first: DeviceTime?
    /// The time of the latest receipt that a seal needs: by then an office held all that it ever received of them.
    public var last: DeviceTime?

    /// Creates the receipts over no seal.
    public init() {}

    /// Adds the receipts over other seals.
    public mutating func add(_ others: Witnesses) {
      seals += others.seals
      first = [first, others.first].compactMap(\.self).min()
      last = [last, others.last].compactMap(\.self).max()
    }
  }

  /// Counts the seals that receipts name.
  func witnesses(_ witnessed: [String: DeviceTime]) -> Witnesses {
    var found = Witnesses()
    for entry in seals {
      guard let time = witnessed[entry.link.record] else { continue }
      found.seals += 1
      found.first = min(found.first ?? time, time)
      found.last = max(found.last ?? time, time)
    }
    return found
  }

  /// Reports the records that say they were made after the office had them already.
  mutating func checkTimes(_ witnessed: [String: DeviceTime]) {
    for entry in seals {
      guard let held = witnessed[entry.link.record],
        let made = ClockOrder.comparableDeviceTime(entry.file.record),
        made.gnssTime.seconds(since: held.gnssTime) > ClockTolerance.seconds
      else { continue }
      add(
        entry.path, .times, .doubtful,
        "it says it was made at \(moment: made), but an office had it at \(moment: held)")
    }
  }

  /// Reports the seals whose file has another name than their record.
  mutating func checkNames() {
    for entry in seals {
      let name = entry.path.split(separator: "/").last.map(String.init) ?? entry.path
      let stem = String(name.prefix { $0 != "." })
      guard stem != entry.link.id.description else {
        // Copies of photos get other endings from other programs.
        if entry.link.kind == .capture, name.dropFirst(stem.count) != ".jpg.seal" {
          add(entry.path, .seal, .note, "its name is not that with which our programs write it")
        }
        continue
      }
      // A person may give a copy a name of their own; the name of another record misleads.
      let isOther = Identifier(stem) != nil
      add(
        entry.path, .seal, isOther ? .doubtful : .note,
        isOther
          ? "its name is that of another record than its own, \(word: entry.link.id.description)"
          : "its name says nothing of its record, \(word: entry.link.id.description)")
    }
  }

  // MARK: the list of a bundle

  /// Checks the lists of files that offices signed.
  /// - Returns: the paths of everything that such a list is about.
  mutating func checkLists(_ witnessed: [String: DeviceTime]) -> Set<String> {
    let statements = folders(with: BundleList.statementPath)
    // A list in a folder of an archive says nothing of the whole archive.
    let halves = folders(with: BundleList.path).subtracting(statements).filter(isBundle)
    for root in halves.sorted() {
      add(
        root + BundleList.statementPath, .list, .incomplete,
        "the office's statement over the list of files is missing")
    }
    if isBundle(""), !statements.contains(""), !halves.contains("") {
      if files.isSelection {
        for root in statements.sorted() {
          add(
            root + BundleList.statementPath, .list, .incomplete,
            "an office writes it at the top of an archive: ask for the file as it was exported")
        }
      }
      reportMissingList(beside: statements)
    }
    return statements.sorted().reduce(into: []) { $0.formUnion(checkList($1, witnessed)) }
  }

  /// Reports that a bundle has no list: without it nobody knows what was taken out.
  /// - Parameter statements: the folders that have a list of their own.
  private mutating func reportMissingList(beside statements: Set<String>) {
    // An archive that was packed again may have its README below a folder.
    let readmes = folders(with: Evidence.Bundle.readmePath)
      .filter { $0.isEmpty || files.isSelection && !statements.contains($0) }
      .map { $0 + Evidence.Bundle.readmePath }
    let promise: Bool?
    do {
      promise = try readmes.contains {
        Evidence.Bundle.promisesList(readme: try files.bytes(of: $0))
      }
    } catch {
      promise = nil
    }
    switch promise {
    case true?:
      add(
        BundleList.statementPath, .list, .incomplete,
        "the README says that the office signed a list of these files, and there is none")
    case false?:
      add(
        BundleList.statementPath, .list, .note,
        "no office signed a list of these files: something may have been left out")
    case nil:
      add(
        BundleList.statementPath, .list, .incomplete,
        "there is none, and the README that would speak of it cannot be read")
    }
  }

  /// Returns the folders that have a file of this name, each with a slash at its end.
  private func folders(with name: String) -> Set<String> {
    Set(
      files.paths.filter { $0 == name || $0.hasSuffix("/" + name) }
        .map { String($0.dropLast(name.count)) })
  }

  /// Returns true if a folder is a bundle, packed or unpacked: another program's list is none of ours.
  private func isBundle(_ root: String) -> Bool {
    if root.isEmpty, files.isSelection { return true }
    let paths = Set(files.paths)
    return paths.contains(root + Evidence.Bundle.readmePath)
      && paths.contains { $0.hasPrefix(root + "certificates/") || $0.hasPrefix(root + "links/") }
  }

  private mutating func checkList(
    _ root: String, _ witnessed: [String: DeviceTime]
  ) -> Set<String> {
    let path = root + BundleList.statementPath
    let listPath = root + BundleList.path
    do {
      let text = String(decoding: try files.bytes(of: path), as: UTF8.self)
      let statement = try BundleStatement(jws: String(text.prefix { $0 != "\n" }))
      guard text == statement.jws + "\n" else {
        throw EvidenceError.malformedList("its line end is missing, or there is more behind it")
      }
      book.learn(from: statement.certificate)
      if let problem = problem(
        ofStatementBy: statement.certificate, about: nil, at: statement.contents.made)
      {
        add(path, .list, problem.severity, problem.message)
      }
      guard files.allPaths.contains(listPath) else {
        add(listPath, .list, .incomplete, "the list of files is missing")
        return [path]
      }
      let bytes = try files.bytes(of: listPath)
      guard Digest.hexadecimal(bytes) == statement.list else {
        add(listPath, .list, .altered, "it is not the list that the office signed")
        return [path, listPath]
      }
      let list = try BundleList(bytes)
      let contents = statement.contents
      let (name, task) = (contents.selection.name, contents.selection.task.description)
      let log: Wording =
        contents.logEntry.map { "as of entry \($0) of the office's log" }
        ?? "the office does not say as of which entry of its log"
      add(
        path, .list, .note,
        "\(statement.files) files, all evidence of task \(name) (\(task)), made at \(moment: contents.made), \(log)"
      )
      let others = compare(list, root)
      compareReceipts(contents, list, root, path, witnessed)
      checkProofs(contents.log, root)
      return others.union(list.digests.keys.map { root + $0 }).union([path, listPath])
    } catch let error as EvidenceError {
      add(path, .list, .altered, "\(error)")
    } catch {
      add(path, .list, Self.severity(of: error), "it cannot be read: \(error)")
    }
    return [path, listPath]
  }

  /// Compares the files that are here with a list.
  /// - Returns: the files that are not on the list.
  private mutating func compare(_ list: BundleList, _ root: String) -> Set<String> {
    let present = Set(files.allPaths.filter { $0.hasPrefix(root) })
    let (files, known) = (files, digests)
    let listed = list.digests.sorted { $0.key < $1.key }
    let differing = Parallel.map(listed) { name, digest -> (Finding.Severity, Wording)? in
      let path = root + name
      guard present.contains(path) else {
        return (.incomplete, "it is on the office's list, and was taken out")
      }
      do {
        let actual = try known[path] ?? Digest.hexadecimal(try files.bytes(of: path))
        return actual == digest ? nil : (.altered, "its bytes are not those on the office's list")
      } catch {
        return (Self.severity(of: error), "it cannot be read: \(error)")
      }
    }
    for ((name, _), problem) in zip(listed, differing) {
      if let (severity, wording) = problem { add(root + name, .list, severity, wording) }
    }
    let own = [root + BundleList.path, root + BundleList.statementPath]
    let others = present.subtracting(own).filter {
      list.digests[String($0.dropFirst(root.count))] == nil
    }
    for path in others.sorted() {
      // Systems leave hidden files of their own in a folder, but not in an archive.
      let isOfSystem = !files.isSelection && !EvidencePath.mayBeEvidence(path)
      add(
        path, .list, isOfSystem ? .note : .incomplete,
        "it is not on the office's list: it was put in since")
    }
    return others
  }

  /// Compares the receipts that are here with what the office said of them.
  private mutating func compareReceipts(
    _ contents: BundleStatement.Contents, _ list: BundleList, _ root: String, _ path: String,
    _ witnessed: [String: DeviceTime]
  ) {
    let without = Set(contents.unreceipted)
    // A receipt that was taken out is reported once, and not again for each of its records.
    let present = Set(files.paths)
    let isWhole = list.digests.keys.allSatisfy {
      !$0.hasSuffix(".receipt") || present.contains(root + $0)
    }
    for entry in seals where isWhole && entry.path.hasPrefix(root) {
      let isHeld = witnessed[entry.link.record] != nil
      if !isHeld, !without.contains(entry.link.record) {
        add(
          entry.path, .receipt, .doubtful,
          "the office's list says that a receipt names it, and no valid one here does")
      }
    }
    let revoked = Set(
      files.paths.filter { $0.hasPrefix(root) && $0.hasSuffix(".revocation") }
        .compactMap { $0.split(separator: "/").last.map { String($0.dropLast(11)) } })
    for key in contents.revoked where !revoked.contains(key) {
      add(path, .revoked, .incomplete, "key \(key) was revoked, and its revocation is missing")
    }
  }

  // MARK: files without a seal

  /// The most files that a note names.
  private static let namesAtMost = 20

  /// Reports the files that no seal and no list names.
  /// - Parameter listed: the paths that lists are about.
  mutating func checkUnnamed(besides listed: Set<String>) {
    let kinds = [".jpg", ".jpeg", ".raw", ".track", ".set"]
    let known = named.union(composites.flatMap { [$0.path, $0.path.dropLast(4) + ".json"] })
    func isUnnamed(_ path: String) -> Bool {
      !known.contains(path) && !Self.isStaged(path)
        && kinds.contains(where: path.lowercased().hasSuffix)
    }
    for path in files.paths.sorted() where isUnnamed(path) {
      add(path, .unnamed, .incomplete, "no seal names it")
    }
    let others = files.allPaths.sorted().filter { path in
      !known.contains(path) && !listed.contains(path) && !Self.isStaged(path)
        && !Self.isOfEvidence(path) && !(EvidencePath.mayBeEvidence(path) && isUnnamed(path))
    }
    guard let first = others.first else { return }
    let names = others.prefix(Self.namesAtMost).joined(separator: ", ")
    let rest = others.count - Self.namesAtMost
    add(
      first, .unnamed, .note,
      others.count == 1
        ? "nobody sealed this file"
        : rest > 0
          ? "nobody sealed these files: \(names), and \(rest) more"
          : "nobody sealed these files: \(names)")
  }

  /// Returns true for files that carry a signature of their own, which other checks have judged.
  private static func isOfEvidence(_ path: String) -> Bool {
    let endings = [
      ".seal", ".links", ".receipt", ".revocation", CaptureChallenge.ending,
      OfficeKeyRevocation.ending, KeySuccession.ending, ReceiptProof.ending,
    ]
    return endings.contains(where: path.hasSuffix) || isCertificate(path)
      || AttestationChecks.isAttestation(path)
  }
}
