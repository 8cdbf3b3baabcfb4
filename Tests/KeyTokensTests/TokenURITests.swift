import Testing

@testable import KeyTokens

@Suite("The address of a token")
struct TokenURITests {
  @Test("an address is read by RFC 7512, and written so that it reads the same")
  func reading() throws {
    let uri = try TokenURI(
      "pkcs11:token=field%2007;serial=ab12?module-path=/usr/lib/a.so&pin-source=file:/etc/pin")
    #expect(uri.token == "field 07" && uri.serial == "ab12" && uri.id == nil)
    #expect(uri.modulePath == "/usr/lib/a.so" && uri.pinSource == "/etc/pin")
    #expect(try TokenURI(uri.text) == uri)
    var named = uri
    named.id = [0, 0x2F, 0xFF]
    #expect(try TokenURI(named.text).id == [0, 0x2F, 0xFF])
    #expect(try TokenURI("pkcs11:?module-path=/a.so").token == nil)
    #expect(try TokenURI("pkcs11:?module-path=/a.so&pin-source=/p").pinSource == "/p")
  }

  @Test(
    "what is no address is refused with the reason, and a PIN in it is not taken",
    arguments: [
      ("", "begin"), ("softhsm", "begin"), ("pkcs11:token=a", "module"),
      ("pkcs11:token?module-path=/a", "NAME=VALUE"), ("pkcs11:?module-path=a.so", "module"),
      ("pkcs11:token=%zz?module-path=/a", "NAME=VALUE"), ("pkcs11:token=%4?module-path=/a", "NAME"),
      ("pkcs11:token=a;token=b?module-path=/a", "twice"),
      ("pkcs11:token=a?module-path=/a&pin-value=1234", "PIN"),
      ("pkcs11:object=a?module-path=/a", "object is not known"),
      ("pkcs11:?module-path=/a&pin-source=pin", "whole path"),
      ("pkcs11:token=" + String(repeating: "a", count: 5000) + "?module-path=/a", "begin"),
    ])
  func refused(_ text: String, _ words: String) {
    do {
      _ = try TokenURI(text)
      Issue.record("\(text.prefix(80)) was read")
    } catch {
      #expect("\(error)".contains(words), "\(error)")
      #expect(!"\(error)".contains("1234"))
    }
  }
}
