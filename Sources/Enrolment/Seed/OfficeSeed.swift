import Evidence
import Foundation
import Geodesy
import Imagery
import Inspection
import Office
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// Fills an empty office with made-up data, for trials and measurements: an agency with people,
/// tasks in all states around villages, photos with their checks. The same seed gives the same
/// data.
///
/// The photos are drawn and not sealed: they are marked as simulated, have no records, and share a
/// few dozen pictures. The tracks are made up and marked likewise. They are sealed by keys that are
/// thrown away, since a track's points are read through its seal.
public struct OfficeSeed: Sendable {
  /// The amount of data.
  public struct Size: Hashable, Sendable {
    /// The number of photos, nine in ten of them in tasks that have been sent; 0 or more.
    public var photos: Int
    /// The number of tasks; 0 or more.
    public var tasks: Int
    /// The number of parcels of the register, around the places of the tasks; 0 or more.
    public var parcels = 0
    /// The number of points of tracks without a task, 1,800 in each track; 0 or more.
    public var trackPoints = 0
    /// The number of years over which the photos are spread, 1 or more: in a series of years the
    /// photos of a task are as old as if it came back every year.
    public var years = 1
    /// The number of items that each order asks for; 0 for none.
    public var items = 0
    /// The number of pictures drawn, which all photos share; 1 or more.
    public var pictures = 32
    /// The pictures' width, pixels; their height is three quarters of it.
    public var pictureWidthPixels = 1280

    /// Creates a size. Negative numbers become 0.
    public init(photos: Int, tasks: Int) {
      self.photos = max(0, photos)
      self.tasks = max(0, tasks)
    }
  }

  /// The agency that is made.
  public static let agency = "seed"
  /// The number of inspectors made.
  package static let inspectors = 40
  /// Each transaction writes pages all over the file, so few large ones write far less than many small ones.
  private static let tasksInTransaction = 4000
  private static let photosInTransaction = 40_000

  /// The office that is filled.
  package let office: OfficeServer
  /// The amount of data.
  package let size: Size
  private var random: SeededGenerator
  /// The random numbers for parcels and tracks: with them or without, the same seed gives the same
  /// tasks and photos.
  var extras: SeededGenerator
  /// The places around which the tasks are.
  private(set) var villages: [(latitude: Double, longitude: Double)] = []

  /// Creates a seed for an office.
  public init(_ office: OfficeServer, _ size: Size, seed: UInt64) {
    self.office = office
    self.size = size
    random = SeededGenerator(seed: seed)
    extras = SeededGenerator(seed: ~seed)
  }

  /// Makes all of it.
  /// - Parameters:
  ///   - password: the password of every person made.
  ///   - progress: called with the number of tasks, photos, parcels and points that are made, and
  ///     of all.
  /// - Throws: `OfficeRefusal` if the office is not empty.
  public mutating func run(
    password: String, progress: (_ done: Int, _ of: Int) -> Void
  ) async throws {
    guard try await office.people.agencies().isEmpty else {
      throw OfficeRefusal(
        .inputInvalid, "this office has agencies already: made data goes into an empty one only")
    }
    try People.requireUsable(password)
    let hash = try await office.core.passwords.hash(password)
    let now = office.clock.deviceTime
    _ = try await office.people.addAgency(Self.agency, title: "Made-up agency", by: "seed")
    let accounts =
      (1...Self.inspectors).map {
        Account(
          login: "inspector\($0)", agency: Self.agency, role: .inspector, name: "Inspector \($0)")
      } + [
        Account(login: "officer", agency: Self.agency, role: .officer, name: "Otto Officer"),
        Account(login: "officer2", agency: Self.agency, role: .officer, name: "Olga Officer"),
        Account(
          login: "administrator", agency: Self.agency, role: .administrator,
          name: "Anna Administrator"),
      ]
    try await office.database.writeRegistry { registry in
      for account in accounts { try registry.insert(account, password: hash, at: now) }
    }
    let pictures = try (0..<max(1, size.pictures)).map { number in
      try DemonstrationPicture.jpeg(
        widthPixels: size.pictureWidthPixels, heightPixels: size.pictureWidthPixels * 3 / 4,
        seed: UInt64(number),
        captionLines: ["MADE-UP PHOTO \(number)", "NOBODY TOOK IT"])
    }
    let things = size.tasks + size.photos
    let all = things + size.parcels + size.trackPoints + (size.items > 0 ? size.tasks : 0)
    var done = things
    try await fill(pictures: pictures, at: now) { progress($0, all) }
    try await fillParcels(at: now) {
      done += $0
      progress(done, all)
    }
    try await fillTracks(at: now) {
      done += $0
      progress(done, all)
    }
    try await fillItems(at: now) {
      done += $0
      progress(done, all)
    }
  }

  private mutating func fill(
    pictures: [[UInt8]], at now: DeviceTime, _ progress: (Int) -> Void
  ) async throws {
    villages = (0..<max(1, size.tasks / 150)).map { _ in
      (
        latitude: Double.random(in: 48.6...50.9, using: &random),
        longitude: Double.random(in: 12.3...18.7, using: &random)
      )
    }
    let files = try PictureFiles(
      pictures, store: office.photos, folder: office.configuration.folder)
    let inTasks = size.tasks == 0 ? 0 : size.photos * 9 / 10
    var photos = 0
    var tasks = 0
    while tasks < size.tasks {
      let count = min(Self.tasksInTransaction, size.tasks - tasks)
      var made: [(InspectionTask, [TaskTransition], [ReceivedPhoto])] = []
      for number in tasks..<(tasks + count) {
        let village = villages[Int.random(in: 0..<villages.count, using: &random)]
        var task = makeTask(number, near: village, at: now)
        // Only sent tasks get photos: four in five.
        let isSent = Double.random(in: 0..<1, using: &random) < 0.8
        let wanted = isSent ? (inTasks - photos) / max(1, (size.tasks - number) * 4 / 5) : 0
        let transitions = try steps(of: &task, isSent: isSent, photos: wanted)
        let taken = (0..<wanted).compactMap {
          makePhoto($0, of: task, near: task.parcel?.middle, at: now)
        }
        photos += taken.count
        made.append((task, transitions, taken))
      }
      try await office.database.write(in: Self.agency) { session in
        for (task, transitions, taken) in made {
          try session.tasks.insert(task)
          for transition in transitions {
            try session.tasks.save(transition, of: task, revision: 1)
          }
          for photo in taken { try session.photos.insert(photo) }
        }
      }
      for (_, _, taken) in made { try files.add(taken) }
      tasks += count
      progress(tasks + photos)
    }
    while photos < size.photos {
      let count = min(Self.photosInTransaction, size.photos - photos)
      let taken = (0..<count).compactMap { number in
        let village = villages[Int.random(in: 0..<villages.count, using: &random)]
        return makePhoto(number, of: nil, near: place(near: village, metres: 3000), at: now)
      }
      try await office.database.write(in: Self.agency) { session in
        for photo in taken { try session.photos.insert(photo) }
      }
      try files.add(taken)
      photos += count
      progress(tasks + photos)
    }
  }

  // MARK: tasks

  static let types = ["crop check", "buffer strip", "grassland", "damage", "building"]
  static let crops = ["Wheat", "Barley", "Rape", "Maize", "Meadow", "Clover", "Vineyard"]

  private mutating func makeTask(
    _ number: Int, near village: (latitude: Double, longitude: Double), at now: DeviceTime
  ) -> InspectionTask {
    let created = now.advanced(bySeconds: -Double.random(in: 0...180, using: &random) * 86_400)
    let middle = place(near: village, metres: 2500)
    let rings = middle.map { [outline(around: $0)] } ?? []
    let crop = Self.crops[Int.random(in: 0..<Self.crops.count, using: &random)]
    let isDue = Bool.random(using: &random)
    return InspectionTask(
      id: Identifier(at: created, using: &random), agency: Self.agency,
      inspector: "inspector\(Int.random(in: 1...Self.inspectors, using: &random))",
      name: "\(crop) \(number + 1)",
      type: Self.types[Int.random(in: 0..<Self.types.count, using: &random)],
      instructions: "Is there \(crop.lowercased()) on the parcel? Two photos from its edge.",
      created: created,
      due: isDue
        ? created.advanced(bySeconds: Double.random(in: 14...90, using: &random) * 86_400) : nil,
      parcel: Parcel(identifier: "P-\(100_000 + number)", rings: rings))
  }

  /// Brings a task to a random state, by the table of transitions.
  private mutating func steps(
    of task: inout InspectionTask, isSent: Bool, photos: Int
  ) throws -> [TaskTransition] {
    let inspector = Person(agency: Self.agency, login: task.inspector, role: .inspector)
    let officer = Person(agency: Self.agency, login: "officer", role: .officer)
    var actions: [(TaskAction, Person)] = []
    let chance = Double.random(in: 0..<1, using: &random)
    if isSent {
      actions = [(.open, inspector), (.provide, inspector)]
      if photos == 0 {
        actions = chance < 0.5 ? [(.open, inspector)] : []
      } else if chance > 0.24 {
        actions.append(
          (chance > 0.32 ? .accept : chance > 0.27 ? .decline : .returnToInspector, officer))
      }
    } else if chance < 0.5 {
      actions = [(.open, inspector)]
    } else if chance < 0.55 {
      actions = [(.withdraw, officer)]
    }
    var time = task.created
    return try actions.map { action, person in
      time = time.advanced(bySeconds: Double.random(in: 3600...400_000, using: &random))
      return try task.perform(
        action, by: person, id: Identifier(at: time, using: &random), at: time,
        reason: action == .decline || action == .returnToInspector ? "Made-up reason." : nil,
        contents: TaskContents(photos: max(photos, 1)))
    }
  }

  // MARK: photos

  private mutating func makePhoto(
    _ number: Int, of task: InspectionTask?, near middle: Coordinate?, at now: DeviceTime
  ) -> ReceivedPhoto? {
    let taken =
      (task?.created ?? now.advanced(bySeconds: -200 * 86_400))
      .advanced(bySeconds: Double.random(in: 3600...600_000, using: &random))
      .advanced(bySeconds: -yearsBefore() * 365.25 * 86_400)
    let uncertainty = Double.random(in: 0.8...4.5, using: &random)
    var fix = Fix(time: taken.gnssTime)
    fix.coordinate = middle.flatMap {
      place(near: ($0.latitudeDegrees, $0.longitudeDegrees), metres: 60)
    }
    fix.ellipsoidalHeightMetres = 300
    fix.meanSeaLevelHeightMetres = 255
    fix.horizontalUncertaintyMetres95 = uncertainty
    // A photo without a place cannot be made.
    guard let position = PhotoPosition(standpoint: nil, fix: fix) else { return nil }
    let photo = Photo(
      id: Identifier(at: taken, using: &random), agency: Self.agency,
      inspector: task?.inspector
        ?? "inspector\(Int.random(in: 1...Self.inspectors, using: &random))",
      task: task?.id, origin: .camera, gnssTime: taken.gnssTime, deviceTime: taken,
      position: position,
      standpoint: nil,
      orientation: Orientation(
        azimuthDegreesTrue: Double.random(in: 0..<360, using: &random), elevationDegrees: 0,
        rollDegrees: nil, source: .deviceSensors),
      camera: .assumed(widthPixels: 1280, heightPixels: 960),
      fileDigest: String(repeating: "0", count: 64), bytes: 100_000, widthPixels: 1280,
      heightPixels: 960, isSimulated: true, sent: taken, delivered: taken)
    let isOdd = Double.random(in: 0..<1, using: &random) < 0.012
    return ReceivedPhoto(
      photo: photo, verdict: .intact, findings: [], revision: task == nil ? nil : 1,
      imageDigest: nil, checks: checks(uncertainty, isOdd: isOdd, hasTask: task != nil))
  }

  private mutating func yearsBefore() -> Double {
    size.years > 1 ? Double(Int.random(in: 0..<size.years, using: &extras)) : 0
  }

  private mutating func checks(
    _ uncertainty: Double, isOdd: Bool, hasTask: Bool
  ) -> [PhotoCheck] {
    let outside = isOdd ? Double.random(in: 20...400, using: &random) : 0
    return [
      PhotoCheck(.seal, .agrees, [.sequence: 12]), PhotoCheck(.issuer, .agrees),
      PhotoCheck(.file, .agrees, [.bytes: 100_000]), PhotoCheck(.chain, .agrees, [.sequence: 12]),
      PhotoCheck(
        .standpoint, .agrees,
        [.recomputedDifferenceMetres: 0, .samples: 20, .effectiveSamples: 6.2, .spreadMetres: 0.4]),
      PhotoCheck(.times, .agrees, [.deviceMinusGNSSSeconds: 0.2, .fixAgeSeconds: 0.3]),
      hasTask
        ? PhotoCheck(
          .parcel, isOdd ? .contradicts : .agrees,
          [.distanceMetres: outside, .uncertaintyMetres95: uncertainty])
        : PhotoCheck(.parcel, .notCheckable),
      PhotoCheck(.aim, .agrees, [.azimuthDegreesTrue: 90, .missDegrees: 0, .reachMetres: 40]),
      PhotoCheck(.reused, .agrees, [.others: 0]), PhotoCheck(.similar, .agrees, [.others: 0]),
      PhotoCheck(.origin, .agrees), PhotoCheck(.receiver, .agrees, [.satellitesUsed: 14]),
      PhotoCheck(.surroundings, .notCheckable),
    ]
  }

  // MARK: places

  private mutating func place(
    near middle: (latitude: Double, longitude: Double), metres: Double
  ) -> Coordinate? {
    func offset() -> Double {
      // Nearly normal: the sum of four.
      (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } / 2 * metres
    }
    let (north, east) = (offset(), offset())
    return Coordinate(
      latitudeDegrees: middle.latitude + north / 111_000,
      longitudeDegrees: middle.longitude + east / 71_500)
  }

  /// Makes a piece of land with four corners.
  private mutating func outline(around middle: Coordinate) -> [Coordinate] {
    let plane = LocalPlane(origin: middle)
    let long = Double.random(in: 60...260, using: &random)
    let wide = Double.random(in: 30...120, using: &random)
    let turn = Double.random(in: 0..<Double.pi, using: &random)
    return [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)].map { along, across in
      let (x, y) = (along * long / 2, across * wide / 2)
      return plane.coordinate(
        of: PlanePoint(
          eastMetres: x * cos(turn) - y * sin(turn), northMetres: x * sin(turn) + y * cos(turn)))
    }
  }
}

/// The few pictures that all photos share: each photo's file is one of them under a further name.
private struct PictureFiles {
  private let pictures: [[UInt8]]
  private let store: any PhotoStore
  private let sources: [String]?

  init(_ pictures: [[UInt8]], store: any PhotoStore, folder: URL) throws {
    self.pictures = pictures
    self.store = store
    guard store.path(of: "photos/00/none.jpg") != nil else {
      sources = nil
      return
    }
    let folder = folder.appendingPathComponent("seed-pictures").path
    try DurableFile.makeFolder(folder)
    sources = try pictures.enumerated().map { number, bytes in
      let path = "\(folder)/\(number).jpg"
      try DurableFile.replace(path, with: bytes)
      return path
    }
  }

  func add(_ photos: [ReceivedPhoto]) throws {
    for received in photos {
      let id = received.photo.id
      let name = EvidenceName.file(.capture, id)
      // Chosen by the identifier's last digits, which are random.
      let number = Int(id.description.suffix(4), radix: 16).map { $0 % pictures.count } ?? 0
      if let sources, let path = store.path(of: name) {
        try FileManager.default.createDirectory(
          atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
          withIntermediateDirectories: true)
        if link(sources[number], path) == 0 { continue }
      }
      try store.write(pictures[number], as: name)
    }
  }
}
