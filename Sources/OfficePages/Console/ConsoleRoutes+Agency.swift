import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync
import Web

extension ConsoleRoutes {
  func addAgency(to routes: inout Routes) {
    routes.get(Self.path + "/policy", machine: true) { request in
      try await asking(request, [.administrator]) { asker in
        let policy = await ConsolePolicy(try office.policy(of: asker.agency)?.policy)
        return try json(policy, tag: policy.tag, request)
      }
    }
    routes.put(Self.path + "/policy", machine: true) { request in
      try await asking(request, [.administrator]) { try await layDown($0) }
    }
    routes.get(Self.path + "/log", machine: true) { request in
      try await asking(request, query: ConsoleQuery.paging) { try await log($0) }
    }
  }

  private func layDown(_ asker: Asker) async throws -> WebResponse {
    let condition = try EntityTag.condition(of: asker.request)
    let body = try await body(
      of: asker.request,
      ["surroundings", "deliverAhead", "removeDeliveredAfterDays", "rules", "types"])
    let (surroundings, ahead) = (try body.flag("surroundings"), try body.flag("deliverAhead"))
    let days = try body.number("removeDeliveredAfterDays", in: CapturePolicy.removalDays)
    let rules = try ConsoleRules(
      body.value("rules"), without: ConsolePolicy.apart, "\"rules\""
    ).rules
    let types = try types(body.value("types"))
    // `If-Match: *` changes the revision in force; otherwise the named revision must be that one.
    // The service checks this once more within its transaction.
    let known = await ConsolePolicy(try office.policy(of: asker.agency)?.policy)
    guard known.tag.isMeant(by: condition) else {
      throw OfficeRefusal(
        .preconditionFailed,
        "revision \(known.revision) is in force, not the one that you name: look again, then decide"
      )
    }
    do {
      let signed = try await office.setPolicy(
        of: asker.agency, by: asker.login, seen: known.revision
      ) {
        $0.general = rules
        $0.readsSurroundings = surroundings
        $0.deliversAhead = ahead
        for type in $0.types.keys { $0.set(CaptureRules(), forType: type) }
        for (type, own) in types { $0.set(own, forType: type) }
        $0.removesDeliveredAfterDays = days
      }
      let policy = ConsolePolicy(signed.policy)
      return try json(policy).setting(header: "ETag", to: policy.tag.field)
    } catch let refusal as OfficeRefusal where refusal.kind == .policyChanged {
      throw OfficeRefusal(.preconditionFailed, refusal.wording)
    }
  }

  /// Returns the types' own rules. The length of a type's name and the number of types are limited.
  private func types(_ value: JSONValue?) throws(OfficeRefusal) -> [String: CaptureRules] {
    guard let value else { return [:] }
    guard case .object(let members) = value else {
      throw OfficeRefusal(.inputInvalid, "\"types\" is no JSON object")
    }
    var types: [String: CaptureRules] = [:]
    for (type, rules) in members {
      let name = "type \"\(type.prefix(100))\""
      guard !type.isEmpty, type.utf8.count <= CapturePolicy.typeByteLimit,
        members.count <= CapturePolicy.typeLimit
      else {
        throw OfficeRefusal(
          .inputInvalid,
          "\(name): a name has 1 to \(CapturePolicy.typeByteLimit) bytes, and at most"
            + " \(CapturePolicy.typeLimit) types have rules of their own")
      }
      types[type] = try ConsoleRules(rules, without: [.standalone], name).rules
    }
    return types
  }

  private func log(_ asker: Asker) async throws -> WebResponse {
    let place = try asker.query.place(in: "log", keys: 1)
    let limit = try asker.query.limit()
    var before: Int64?
    if let place {
      guard case .integer(let number)? = place.keys.first else {
        throw OfficeRefusal(.inputInvalid, "this cursor is not one of this list")
      }
      before = number
    }
    let entries = try await office.database.read(in: asker.agency) {
      try $0.log.page(before: before, containing: nil, limit: limit + 1)
    }
    let page = entries.prefix(limit)
    let next = entries.count > limit ? page.last.map { ListPlace([.integer($0.number)]) } : nil
    return try json(
      ConsoleLog(
        entries: page.map { number, entry in
          ConsoleLog.Entry(
            number: number, time: entry.time.rfc3339, person: entry.person, action: entry.action,
            subject: entry.subject, detail: entry.detail)
        }, next: next.map { ListCursor.text($0, in: "log") }))
  }
}
