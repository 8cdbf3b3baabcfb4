/// The steps that make an office ready, in turn. The first one, the agency and its administrator,
/// is `FirstRunPages`.
enum SetUpStep: String, CaseIterable, Sendable {
  case people
  case parcels
  case map
  case policy
  case device
  case end

  /// The number of the step; the agency is step 1.
  var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 2 }
  /// The number of steps before the end.
  static var count: Int { allCases.count }

  var next: SetUpStep? { Self.allCases.first { $0.number == number + 1 } }
  var previous: SetUpStep? { Self.allCases.first { $0.number == number - 1 } }
}
