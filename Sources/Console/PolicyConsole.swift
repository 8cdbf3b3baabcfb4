import Evidence
import Inspection
import Office
import TimeAndText
import Web

/// The agency's policy, which its administrators read and lay down.
struct PolicyConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    let policy = Self.path + "/policy"
    routes.get(policy, machine: true) { request in
      try await asking(request, [.administrator]) { try await show($0) }
    }
    routes.put(policy, machine: true) { request in
      try await asking(request, [.administrator]) { try await layDown($0) }
    }
  }

  private func show(_ asker: Asker) async throws -> WebResponse {
    let policy = await ConsolePolicy(try office.policies.policy(of: asker.agency)?.policy)
    return try json(policy, tag: policy.tag, asker.request)
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
    let known = await ConsolePolicy(try office.policies.policy(of: asker.agency)?.policy)
    guard known.tag.isMeant(by: condition) else {
      throw OfficeRefusal(
        .preconditionFailed,
        "revision \(known.revision) is in force, not the one that you name: look again, then decide"
      )
    }
    do {
      let signed = try await office.policies.setPolicy(
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
      throw OfficeRefusal(.inputInvalid, "\"types\" is not a JSON object")
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
}
