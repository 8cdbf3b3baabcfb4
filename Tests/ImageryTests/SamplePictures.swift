import Foundation

@testable import Imagery

/// The pictures that the tests of this module work on.
enum SamplePictures {
  /// Returns a drawn picture of 64 x 48 pixels, about 1 KB: SOI, an APP0 of 18 bytes, then only
  /// image data.
  static func drawn(progressive: Bool = false, seed: UInt64 = 1) throws -> [UInt8] {
    var random = SceneRandom(seed: seed)
    var picture = try PixelBuffer(width: 64, height: 48)
    picture.fillVerticalGradient(
      rows: 0..<48, top: Colour(red: 40, green: 90, blue: 200), bottom: .white)
    for _ in 0..<6 {
      picture.fillCircle(
        centre: PixelPoint(x: random.number(0, 64), y: random.number(0, 48)),
        radius: random.number(2, 12),
        colour: Colour(red: UInt8(random.index(256)), green: 120, blue: 40))
    }
    return try TurboJPEG.encode(picture, quality: 60, progressive: progressive)
  }

  /// Returns a segment with its marker and length.
  static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    let length = body.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + body
  }

  /// The files of real cameras beside the repository; none if that folder is missing.
  static let cameraFiles: [URL] = {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appendingPathComponent("../shared/data/photos").standardizedFileURL
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "jpg" }.sorted { $0.path < $1.path }
  }()

  /// A grey picture of 24 x 24 pixels, with a restart marker after every second block (Pillow 13).
  static let withRestarts = decoded(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVG
    ZIhlbXd7gYKBTmCNl4x9lnN+gXz/wAALCAAYABgBAREA/8QAGAABAAMBAAAAAAAAAAAAAAAABQIDBgT/xAAkEAAABAYC
    AgMAAAAAAAAAAAAAAgMEARESISKhEzEFQQYVUf/dAAQAAv/aAAgBAQAAPwDNs0j2x2HWaR7Y7H//0FmaR7Y7GUZodZaH
    /9HoZodZaCDxx9X41V5Ty8dOE6ZzNCHd/wBH/9KlmkS2Ow6zSJbHY//Tj8udrpuiMSHk2VRKY5JQvGqPvv1Af//Z
    """)

  /// A picture of 24 x 24 pixels in CMYK (Pillow 13).
  static let cmyk = decoded(
    """
    /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAUDg8SDw0UEhASFxUUGB4yIR4cHB49LC4kMklATEtHQEZFUFpzYlBVbVZFRmSI
    ZW13e4GCgU5gjZeMfZZzfoF8/8AAFAgAGAAYBEMRAE0RAFkRAEsRAP/EABoAAAIDAQEAAAAAAAAAAAAAAAMFAAIEBgH/
    xAAxEAAABAQEBQIEBwAAAAAAAAABAgMEABESMQUhIkETFCNRoRUyBjNhcTRCRFKCkqL/2gAOBEMATQBZAEsAAD8A6N4q
    TPV4hpi7pHVr8DB8ddIuFgRSPUooYClCQhMRGQR7jwDinMcl1eHKv8spzleXYYRPFSZ6vEc+0Zru3rd4gStui5LWeYBK
    QgI5DnaA8QjHBEW7keGqSuospymYRDMPoMR6Au3qLxDW3RclrPaUhARyHO0I3ipM9XiGeLukdWvwMGaAOG4Yui86Shlj
    GAL5UlDb7DEkPqTfEf0mvqfxMW17/SOqeL30+YXYu/8Ad0/9RlbtufpxGvh8u5DpynVTSa+1+0VFb05ko4p4nOJpqUzl
    RkIynv7vEIni99PmHKDb0Vkq3r41SgqVSplMACUs+0UVD1p6s3+TSmKlXunIQCUsu8GULyEsOnxOYch1LU1UltvbvC9m
    39UxJJnVwuJVrlVKRRG2XaE0vVMSTZ/K4lWv3SkURtl2jU8W9UxIjOnhcSrXOqUiiNsu0Sn8Pg8/39X+xreLw+eKnz1e
    IrhKKeJYmsi8LxUyoiYAnLOoobfcYvigBhqKiLPpJmMJhC+cgDf7BGZIAdvVGa+tui2GglpSEoBmGdoRPFT56vEMMXdL
    atfgIgoptGSDxAtDhZsWs85zmACOQ5XgjZQzxZ4s4GtRuZMyQ2pGZh2vYLw6+EWiCjU745JuUljFIeY5BSG1txinw6im
    o1UfHLNyksYpDzsFIbW3GAYSAKNVHx83KSxikP2CkNrbjEaKGUaqvjjNyksYpD9gpDa24x//2Q==
    """)

  /// A picture of 24 x 24 pixels, stored as red, green and blue (Pillow 13).
  static let rgb = decoded(
    """
    /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAUDg8SDw0UEhASFxUUGB4yIR4cHB49LC4kMklATEtHQEZFUFpzYlBVbVZFRmSI
    ZW13e4GCgU5gjZeMfZZzfoF8/8AAEQgAGAAYA1IRAEcRAEIRAP/EABoAAQACAwEAAAAAAAAAAAAAAAUCAwAEBgH/xAAr
    EAAABQIFAwMFAQAAAAAAAAABAgMEEQASBRMhIjFBUaEVIzIGFDNhcaL/2gAMA1IARwBCAAA/AObZpH02+aLwhqtt2eQr
    XwJqs3RFZUlqaZRMYZAYAAkadZpH02+a6B28QaMnDNc9jhZsawkCMyAgGoac1flnfY2s4bBmJHstNMTBQAdB/YU6zSPp
    t80ZhDVbbs8hVDsQxLE0FmfuplRKUR41uMPX+hXKM0ON3ikcIYfH3P8ANbThz9hdh1mZ9w2H3Ji264vHXjvTrNDjd4oV
    dz609ScWZNqYJ2zdMCIzOneppD6KyRcfmuUBO34xICMzr2pB449Lw1V5bm5duybZkwBzr3pqfS8NUefly7dnxmTAHOve
    tZmj6Xhp3l2bl27ItmTAHOvegWaRNNvmvcXWUw3DEVmZspQywFEYnS0w9f4FQwsRxJZNZ57qhSgUB40kR6f0adZpE02+
    aPwhqjt2eRrAWUdvV2a5r26Lk1hIiIEQDUNeKG+rna6bojEh4bKolMckBqNw9eegVP6iWUTdJsSGhsqiUxyRyNw9eegV
    di4im6TYk0bKolMcncbh689Ar//Z
    """)

  private static func decoded(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
  }
}
