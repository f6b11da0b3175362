import ModelMirrorNetworking

/// A token, as an app keeps it, and its user.
struct SavedToken {
    let token = ""
    func renew(over transport: any Transport) async throws -> String { token }
}
struct Session {
    func end() async {}
}
let saved = SavedToken()
let session = Session()
func subject(of token: String) -> String? { nil }
