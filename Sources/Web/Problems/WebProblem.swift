/// The problems that this library itself answers with, whatever the pages are about. Their codes
/// are part of the interface: programs match them, so no code is ever renamed.
public enum WebProblem: String, Error, CaseIterable, Sendable {
  /// The request could not be understood: an encoding, a target or a body that breaks the rules.
  case malformedRequest = "malformed-request"
  /// The request came from a page of another server, or did not say from which page.
  case originNotAllowed = "origin-not-allowed"
  /// The form does not carry the token of this browser.
  case formExpired = "form-expired"
  /// There is nothing at this path.
  case notFound = "not-found"
  /// The path exists, but not for this method.
  case methodNotAllowed = "method-not-allowed"
  /// The body is larger than this path accepts.
  case tooLarge = "too-large"
  /// The body is of a type that this path does not accept.
  case unsupportedMediaType = "unsupported-media-type"
  /// The request names a host that is not this server.
  case hostNotAllowed = "host-not-allowed"
  /// The server itself failed.
  case `internal` = "internal"
  /// The server has too much to do, or is about to stop.
  case busy = "busy"
}

extension WebProblem: ProblemConvertible {
  /// The HTTP status, 400 to 503.
  public var status: Int {
    switch self {
    case .malformedRequest: 400
    case .originNotAllowed, .formExpired: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .tooLarge: 413
    case .unsupportedMediaType: 415
    case .hostNotAllowed: 421
    case .internal: 500
    case .busy: 503
    }
  }

  /// The problem with its title and its description, in English.
  public var problem: Problem {
    let (title, detail) = words
    return Problem(status: status, code: rawValue, title: title, detail: detail)
  }

  private var words: (title: String, detail: String) {
    switch self {
    case .malformedRequest:
      ("The request cannot be understood", "The request breaks the rules of HTTP or of forms.")
    case .originNotAllowed:
      (
        "The request came from another site",
        "Changes are accepted only from pages of this server. Reload the page and try again."
      )
    case .formExpired:
      (
        "The form has expired",
        "The page was open for too long, or cookies are off. Reload it and enter your data again."
      )
    case .notFound:
      ("Not found", "There is nothing at this address.")
    case .methodNotAllowed:
      ("Not possible here", "This address exists, but it cannot be used in this way.")
    case .tooLarge:
      ("Too large", "The request is larger than this server accepts here.")
    case .unsupportedMediaType:
      ("Type not accepted", "The request is of a type that this server does not accept here.")
    case .hostNotAllowed:
      (
        "Wrong address",
        "This server does not answer under that name. Use the address it was set up with."
      )
    case .internal:
      (
        "Something went wrong",
        "The server could not finish the request. Its log says why."
      )
    case .busy:
      ("Too busy", "The server is busy right now. Try again in a moment.")
    }
  }
}
