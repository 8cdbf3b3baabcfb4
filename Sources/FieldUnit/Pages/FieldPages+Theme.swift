import Web

extension FieldPages {
  /// The choice at the foot of each page.
  func themes(_ request: WebRequest) -> PageFrame.ThemeChoice {
    PageFrame.ThemeChoice(for: request, name: t("Look of the pages")) { theme in
      switch theme {
      case .system: t("As the system")
      case .light: t("Light")
      case .dark: t("Dark")
      case .sunlight: t("Sunlight")
      }
    }
  }
}
