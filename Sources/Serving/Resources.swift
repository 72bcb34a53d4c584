import Domain
import Foundation
import Publishing

/// The files of nights that a client may read as they are, by an address: `offerlift://results/JOB/NIGHT/FILE`.
///
/// The newest night of each job is listed; every other one has an address, too.
package struct Resources: Sendable {
  let library: ResultsLibrary

  private static let prefix = "offerlift://results/"
  /// Bytes that a file may have.
  private static let longest = 4 << 20

  func list() throws(ProtocolError) -> JSON {
    do {
      let found = try library.jobs().flatMap { job -> [JSON] in
        guard let night = try job.nights().last else { return [] }
        return PublishedJob.texts.map { Self.description($0.name, type: $0.type, job, night) }
      }
      return ["resources": .list(found)]
    } catch {
      throw ProtocolError(code: -32603, words: "\(error)")
    }
  }

  private static func description(_ name: String, type: String, _ job: PublishedJob, _ night: String) -> JSON {
    let title = "\(job.name), \(night): \(name)"
    return [
      "uri": .text(prefix + [job.name, night, name].map(encoded).joined(separator: "/")), "name": .text(title),
      "mimeType": .text(type),
    ]
  }

  var templates: JSON {
    [
      "resourceTemplates": [
        [
          "uriTemplate": .text(Self.prefix + "{job}/{night}/{file}"), "name": "A file of a published night",
          "description": "summary.md, run.json or a table, comparisons.csv say; the night by its date.",
        ]
      ]
    ]
  }

  func read(_ parameters: JSON) throws(ProtocolError) -> JSON {
    guard let address = parameters["uri"]?.text else { throw .badParameters("\"uri\" is missing.") }
    let parts = address.hasPrefix(Self.prefix) ? address.dropFirst(Self.prefix.count).split(separator: "/") : []
    let names = parts.compactMap { $0.removingPercentEncoding }
    guard parts.count == 3, names.count == 3, let text = PublishedJob.texts.first(where: { $0.name == names[2] }) else {
      throw .noResource("\(address); write \(Self.prefix)JOB/NIGHT/summary.md.")
    }
    do {
      let bytes = try library.job(names[0]).text(names[2], ofNight: names[1], most: Self.longest)
      let contents: JSON = [
        "uri": .text(address), "mimeType": .text(text.type), "text": .text(String(decoding: bytes, as: UTF8.self)),
      ]
      return ["contents": .list([contents])]
    } catch {
      throw .noResource("\((error as? OfferliftError)?.message ?? "\(error)")")
    }
  }

  private static func encoded(_ name: String) -> String {
    let letters = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-~")
    return name.addingPercentEncoding(withAllowedCharacters: letters) ?? name
  }
}
