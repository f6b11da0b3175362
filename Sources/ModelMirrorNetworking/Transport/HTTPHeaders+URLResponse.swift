import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPHeaders {
    /// The fields of a response of URLSession, by name, since it does not keep their order. Fields of one name come
    /// joined; `Set-Cookie`, whose values cannot stay so, is taken apart.
    init(_ response: HTTPURLResponse) {
        var fields: [Field] = []
        for case (let name as String, let value as String) in response.allHeaderFields {
            let name = HeaderName(name)
            if name == .setCookie {
                for cookie in HTTPHeaders.cookies(in: value) { fields.append(Field(name: name, value: cookie)) }
            } else {
                fields.append(Field(name: name, value: value))
            }
        }
        fields.sort { $0.name.description < $1.name.description }
        self.init(fields)
    }

    /// The cookies in several values of `Set-Cookie` joined by commas. A comma separates two only where a name and `=`
    /// follow: that of a date, `Wed, 21 Oct 2065 07:28:00 GMT`, does not.
    static func cookies(in joined: String) -> [String] {
        var cookies: [String] = []
        var start = joined.startIndex
        var position = joined.startIndex
        while let comma = joined[position...].firstIndex(of: ",") {
            position = joined.index(after: comma)
            let rest = joined[position...].drop { $0 == " " }
            let name = rest.utf8.prefix(while: \.isTokenByte)
            guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "=" else { continue }
            cookies.append(String(joined[start..<comma]))
            start = rest.startIndex
        }
        cookies.append(String(joined[start...]))
        return cookies
    }
}
