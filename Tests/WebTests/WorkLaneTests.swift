import Foundation
import Testing

@testable import Web

@Suite("Lanes of threads for slow work", .timeLimit(.minutes(1)))
struct WorkLaneTests {
  private struct Wrong: Error {}

  @Test("near a lane its work begins at once, on the thread that is there already")
  func near() async throws {
    let lane = WorkLane(width: 4)
    // Others keep the lane's threads busy: a way to the lane and back would end on another thread.
    let others = (0..<4).map { _ in
      Task { for _ in 0..<500 { try await lane.run { _ = getpid() } } }
    }
    try await lane.near {
      for _ in 0..<500 {
        let before = pthread_self()
        let inside = try await lane.run { pthread_self() }
        #expect(before == inside)
        #expect(pthread_self() == inside)
      }
    }
    for other in others { try await other.value }
  }

  @Test("more bodies than threads may be near a lane and wait for another one")
  func waiting() async throws {
    let (lane, other) = (WorkLane(width: 2), WorkLane(width: 1))
    let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...50 {
        group.addTask {
          try await lane.near {
            let here = pthread_self()
            let there = try await other.run { pthread_self() }
            #expect(here != there)
            return try await lane.run { number }
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(numbers == 1275)
  }

  @Test("near a lane a body's error arrives")
  func error() async throws {
    let lane = WorkLane(width: 1)
    await #expect(throws: Wrong.self) { try await lane.near { throw Wrong() } }
    #expect(try await lane.near { 7 } == 7)
  }
}
