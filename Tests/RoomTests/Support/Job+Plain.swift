import Foundation
import Recognition

@testable import Jobs

extension Job {
  /// A job that says nothing but what becomes of damaged files; they are looked at before they are read.
  static func plain(_ onCorrupt: OnCorrupt = .fail) -> Job {
    var job = Job(name: "", file: URL(fileURLWithPath: "/job.yml"))
    (job.onCorrupt, job.inspection) = (onCorrupt, Recognition.ofDeclaredFiles)
    return job
  }
}
