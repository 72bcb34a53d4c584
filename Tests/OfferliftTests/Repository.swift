import Foundation

/// The folder of the whole project.
let repository = (0..<3).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
