import Foundation

/// The folder of the whole project, where samples and jobs lie.
let repository = (0..<4).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
