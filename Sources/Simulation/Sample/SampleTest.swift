import Domain
import Foundation
import Platform

/// The sample test of prices, made by the program alone: what `offerlift init --example` writes.
package struct SampleTest {
  /// Path of its job file.
  package let job: String
  /// Options of `offerlift run` for the night its logs end with.
  package let options: String
  /// What is in the logs, in a few lines.
  package let summary: String

  /// Makes a folder with the sample's job file, and its logs and tables from the scenario.
  ///
  /// - Throws: `OfferliftError`, exit 73, where the folder holds files already or cannot be written into.
  package static func write(into folder: String) throws -> Self {
    guard try Folder.names(in: folder).isEmpty else {
      throw OfferliftError(
        .cannotCreateOutput, "\(folder): this folder holds files already; name a new one, --example first-test.")
    }
    // Laid out as the job file's paths have it.
    let (jobs, data) = ("\(folder)/jobs", "\(folder)/sample-data/offering")
    try Folder.create(jobs)
    try Folder.create(data)
    let job = "\(jobs)/offering-price-test.yml"
    try FileWriter.write(PackageResources.offering_price_test_yml, to: job)
    try FileWriter.write(PackageResources.offering_price_test_options, to: "\(jobs)/offering-price-test.options")
    try FileWriter.write(PackageResources.scenario_yml, to: "\(data)/scenario.yml")
    let summary = try Simulation.run(scenario: "\(data)/scenario.yml", output: data)
    return Self(job: job, options: options, summary: summary)
  }

  private static var options: String {
    String(decoding: PackageResources.offering_price_test_options, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.joined(separator: " ")
  }
}
