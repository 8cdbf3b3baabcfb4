import Inspection
import Office
import OfficeFrame
import Web

// The filter above lists of things that can be hidden.
extension OfficePage {
  /// Returns the form that filters a list by inspector, and chooses between shown and hidden
  /// things.
  func hiddenFilter(
    _ path: String, _ asked: StandaloneListAddress, _ reader: Reader
  ) async throws -> HTML {
    let inspectors =
      await reader.own == nil
      ? try office.people.accounts(ofAgency: reader.agency).filter { $0.role == .inspector } : []
    let options = inspectors.map { account in
      """
      <option value="\(account.login)"\(raw: asked.inspector == account.login ? " selected" : "")>\
      \(account.title)</option>
      """ as HTML
    }
    let whose: HTML? =
      reader.own == nil
      ? """
      <label>\(t("Inspector"))<select name="inspector"><option value="">\(t("all"))</option>\(options)</select></label>
      """ : nil
    return """
      <form class="filter" method="get" action="\(path)">
      \(whose)
      <label>\(t("Show"))<select name="hidden"><option value="">\(t("visible"))</option>
      <option value="yes"\(raw: asked.isHidden ? " selected" : "")>\(t("hidden"))</option></select></label>
      <button class="button">\(t("Filter"))</button></form>
      """
  }
}
