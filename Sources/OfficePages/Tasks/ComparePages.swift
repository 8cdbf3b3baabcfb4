import Guide
import Inspection
import Matching
import Office
import OfficeFrame
import Sync
import TimeAndText
import Web

/// Two photos of a task: both pictures, the numbers, and the cards of both.
struct ComparePages: OfficePage {
  let office: OfficeServer
  let matcher: PictureMatcher
  let help = GuidePart.review

  func add(to routes: inout Routes) {
    PicturePair.add(to: &routes)
    routes.get("/tasks/{id}/compare") { request in
      try await reading(request) { try await compare($0, try identifier(request)) }
    }
  }

  private func compare(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let view = try await office.review.view(of: id, in: reader.agency)
    let whole = view.photos.filter { $0.deletedReason == nil }
    func asked(_ name: String, _ otherwise: Int) -> Int? {
      let wanted = reader.request.query[name]
      return whole.firstIndex { $0.photo.id.description == wanted }
        ?? (whole.indices.contains(otherwise) ? otherwise : nil)
    }
    guard let left = asked("left", 0), let right = asked("right", 1) else {
      throw OfficeRefusal(
        .ruleForbids, "you need two photos to compare; the task has \(whole.count)")
    }
    let pair = PhotoPair(office: office, matcher: matcher)
    let sides = whole.enumerated().map { number, received in
      PhotoPair.Side(received.photo, title: t("Photo {1}", number + 1))
    }
    let chosen = [left, right].sorted {
      whole[$0].photo.deviceTime < whole[$1].photo.deviceTime
    }
    let pages = PhotoPages(office: office)
    let facts = try await pages.cardFacts(of: chosen.map { whole[$0] }, reader)
    let cards = try await HTML.each(chosen) { index in
      try await pages.photoCard(whole[index], number: index + 1, reader, facts: facts)
    }
    return page(
      t("Compare two photos"), reader, current: "/tasks", help: .review,
      scripts: [PicturePair.script.href], styles: [PicturePair.style.href],
      """
      <nav class="way" aria-label="\(t("Review"))"><a class="button quiet" href="/tasks/\(id.description)" data-key="u">\(t("Back to the task"))</a>
      <a class="button quiet" href="/compose?with=\(whole[left].photo.id.description)&amp;photo=\(whole[right].photo.id.description)">\(t("Then and now"))</a></nav>
      <h1>\(view.task.name)</h1>
      \(pair.choice(of: sides, chosen: [left, right], address: "/tasks/\(id.description)/compare"))
      \(try await pair.html(sides[chosen[0]], sides[chosen[1]]))
      <div class="compare">\(cards)</div>
      """)
  }
}
