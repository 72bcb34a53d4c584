import CBuild
import CLinux
import Foundation

/// The files that the running program is made of.
package enum LoadedProgram {
  /// Path of the program itself.
  package static var path: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }

  /// What to start for another process of the program, whatever lies at its path by now; tests are a program of their own,
  /// and the program is built beside them.
  static var withCommands: String {
    let own = path
    guard own.hasSuffix(".xctest") else { return "/proc/self/exe" }
    return Folder.parent(of: own) + "/offerlift"
  }

  /// What it was built from, `commit 1ee9c67a of 2026-11-26, Swift 6.3.1`; nil where whoever built it did not say.
  package static var build: String? {
    let text = String(cString: ol_build)
    return text.isEmpty ? nil : text
  }

  /// Paths of the shared objects that it has loaded, but for those of the C library, which come with every Linux.
  package static var libraries: [String] {
    final class Found { var paths: [String] = [] }
    let found = Found()
    _ = dl_iterate_phdr(
      { object, _, data in
        guard let name = object?.pointee.name, let data else { return 0 }
        Unmanaged<Found>.fromOpaque(data).takeUnretainedValue().paths.append(String(cString: name))
        return 0
      }, Unmanaged.passUnretained(found).toOpaque())
    return found.paths.filter { path in
      let name = (path as NSString).lastPathComponent
      return path.hasPrefix("/") && !ofTheCLibrary.contains { name.hasPrefix($0) }
    }
  }

  /// The C library's name and version: `glibc 2.36`.
  package static var cLibrary: String {
    var text = [CChar](repeating: 0, count: 100)
    guard confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return "unknown" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static let ofTheCLibrary = [
    "ld-linux", "libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so", "libresolv.so", "libutil.so", "libnss_",
    "linux-vdso",
  ]
}
