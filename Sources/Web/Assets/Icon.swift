/// The program's icon, a standpoint: the ring of uncertainty around the inspector's point.
enum Icon {
  static let text = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="6" fill="#0b4f6c"/>
    <circle cx="16" cy="16" r="9" fill="none" stroke="#fff" stroke-width="2.5"/>
    <path d="M16 2v6M16 24v6M2 16h6M24 16h6" stroke="#fff" stroke-width="2.5"/>
    <circle cx="16" cy="16" r="3.5" fill="#fff"/>
    </svg>
    """
}
