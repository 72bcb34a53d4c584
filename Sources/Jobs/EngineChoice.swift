import Foundation

/// Who measures a job: the `engine:` of a job.
package struct EngineChoice: Sendable, Hashable {
  package var name = Name.native
  /// `spark`: the command line that begins a submission, `spark-sql --master yarn`; nil is `spark-sql` alone.
  package var submit: String?
  /// The line of the job file that `submit` stands on.
  package var submitLine = 0
  /// `spark`: a folder that every machine of the cluster sees under one path, absolute, or an address that all of them
  /// write to, `s3a://bucket/exchange`; nil is in the folder of the results.
  package var exchange: String?
  /// `spark`: how many tasks take the partitions of users; nil goes by the size of the inputs.
  package var tasks: Int?

  package enum Name: String, Sendable, CaseIterable {
    /// This process.
    case native
    /// Apache Spark.
    case spark
  }

  package init() {}

  /// The most tasks that partitions of users are shared out to.
  package static let mostTasks = 16_384
}
