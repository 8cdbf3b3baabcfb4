/// The header fields by which every answer tells the browser what to allow.
enum SecurityHeaders {
  /// The policy for pages: only what this server itself serves, and no script or style inside the page.
  static let pagePolicy = pagePolicy(connectingTo: "'self'")

  /// Returns the policy of a page whose script may also ask other origins.
  static func pagePolicy(connectingTo origins: String) -> String {
    [
      "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self' blob: data:",
      "connect-src \(origins)", "media-src 'self' blob:", "font-src 'self'", "manifest-src 'self'",
      "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
    ].joined(separator: "; ")
  }

  /// The policy for everything else. A delivered file may be an HTML document or an SVG picture:
  /// opened by itself it gets no script, no form and no frame.
  static let contentPolicy =
    "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

  static let always = [
    (name: "X-Content-Type-Options", value: "nosniff"),
    (name: "Referrer-Policy", value: "same-origin"),
    (name: "Cross-Origin-Opener-Policy", value: "same-origin"),
    (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
  ]
}
