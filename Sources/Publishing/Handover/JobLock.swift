import Domain
import Foundation
import Jobs
import Platform

/// Keeps a second run of the same job out of its output folder, as long as this object lives.
///
/// The lock is the kernel's (`flock`) on `DIR/<job>/.lock`: it ends with the process however the process ends,
/// so a dead run never blocks the next. The file itself stays; that it is there does not mean that it is locked.
package final class JobLock {
  private let descriptor: Int32

  /// Takes the lock, making the job's folder where there is none.
  ///
  /// - Parameter trustsFolder: the folder may be a link, another user's, or one that anybody writes to.
  /// - Throws: `OfferliftError` 75 if another run holds it, 73 as `OwnFolder.verify`; nothing has been touched then.
  package convenience init(root: URL, job: Job, trustsFolder: Bool = false) throws {
    let folder = root.appendingPathComponent(job.name).path
    if !trustsFolder { try OwnFolder.verify(folder) }
    try Folder.create(folder)
    try self.init(folder: folder, job: job.name, trustsFolder: trustsFolder)
  }

  /// Takes the lock of a job's folder, which is there.
  ///
  /// - Throws: as above.
  init(folder: String, job: String, trustsFolder: Bool = false) throws {
    if !trustsFolder { try OwnFolder.verify(folder) }
    let path = (folder as NSString).appendingPathComponent(".lock")
    let descriptor = try StoredFile.openLock(path)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      throw Self.refusal(job: job, folder: folder, code: code)
    }
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  private static func refusal(job: String, folder: String, code: Int32) -> OfferliftError {
    guard code == EWOULDBLOCK else { return OutputFailure.error("lock", folder, code: code) }
    return OfferliftError(
      .tryAgainLater,
      "another run of job \(job) is writing to \(folder). Wait for it to end and run again.")
  }
}
