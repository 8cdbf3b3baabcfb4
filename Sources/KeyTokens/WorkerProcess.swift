import CPKCS11
import Foundation
import Glibc

/// A child with a process group of its own, one pipe to it and one from it. When it ends or is late,
/// everything in its group is killed: a module may have started programs of its own.
struct WorkerProcess {
  /// The end of a child.
  enum End {
    /// After a whole answer.
    case ended
    /// Without one.
    case failed
    /// It was killed, because it did not answer in time.
    case late
  }

  private let child: pid_t
  private let (input, output): (Int32, Int32)
  private var isLate = false

  /// Starts a program with one argument.
  /// - Throws: `TokenError.module` if it does not start.
  init(_ program: String, _ argument: String) throws(TokenError) {
    var (to, from): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe2(&to, Int32(O_CLOEXEC)) == 0 else { throw Self.failure(program) }
    guard pipe2(&from, Int32(O_CLOEXEC)) == 0 else {
      to.forEach { close($0) }
      throw Self.failure(program)
    }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_adddup2(&actions, to[0], 0)
    posix_spawn_file_actions_adddup2(&actions, from[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var words: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(argument), nil]
    var child: pid_t = 0
    let code = posix_spawn(&child, program, &actions, &attributes, &words, environ)
    words.forEach { free($0) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    close(to[0])
    close(from[1])
    guard code == 0 else {
      close(to[1])
      close(from[0])
      throw Self.failure(program)
    }
    (self.child, input, output) = (child, to[1], from[0])
  }

  private static func failure(_ program: String) -> TokenError {
    .module(path: program, reason: "the worker does not start")
  }

  /// Writes the question, and reads the answer until the child closes its output, the answer is too long,
  /// or the time is over. A question is shorter than a pipe holds.
  mutating func answer(to question: [UInt8], longest: Int, patienceSeconds: Int) -> [UInt8] {
    // A child that has ended already reads nothing, and must not end our program with that.
    signal(SIGPIPE, SIG_IGN)
    _ = question.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    close(input)
    let deadline = Self.milliseconds + Int64(patienceSeconds) * 1000
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count <= longest {
      let left = deadline - Self.milliseconds
      guard left > 0 else {
        isLate = true
        break
      }
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, Int32(clamping: left))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { continue }
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
      // The worker writes one line: nothing behind it is waited for.
      if bytes.last == 0x0A { break }
    }
    return bytes
  }

  /// Waits shortly for the child's end, kills its group, and returns how it ended.
  /// - Parameter hasAnswered: true if its answer is whole. Then a module's clean-up may take a second, and
  ///   its failure does not count.
  func end(hasAnswered: Bool) -> End {
    close(output)
    var patience = isLate ? 0 : 200
    var ended = siginfo_t()
    // The child is not reaped before its group is killed: until then nobody else has its number.
    while patience > 0,
      waitid(P_PID, id_t(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0, ended.si_signo == 0
    {
      patience -= 1
      usleep(5_000)
    }
    kill(-child, SIGKILL)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return isLate ? .late : hasAnswered ? .ended : .failed
  }

  private static var milliseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }
}
