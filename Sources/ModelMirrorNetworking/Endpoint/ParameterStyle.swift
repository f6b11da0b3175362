/// How arrays, objects, Booleans and nulls are written as pairs of a query or a form. No standard defines this.
///
/// | Value | Pairs |
/// |---|---|
/// | `"tags": ["a", "b"]` | `tags[]=a&tags[]=b`, or by ``arrays``: `tags=a&tags=b`, `tags=a,b`, `tags[0]=a&tags[1]=b` |
/// | `"owner": ["login": "x"]` | `owner[login]=x`, or by ``objects``: `owner.login=x`; members sorted by name |
/// | `"list": [["id": 1]]` | `list[][id]=1` |
/// | `"on": true` | `on=true`, or by ``booleans``: `on=1` |
/// | `"since": JSONValue.null` | nothing, or by ``nulls``: `since=` |
/// | an empty array or object | nothing |
/// | a number | its digits, unchanged |
///
/// Brackets are escaped when sent (`tags%5B%5D=a`), as RFC 3986 requires; servers decode them.
public struct ParameterStyle: Hashable, Sendable {
    /// How an array is written.
    public enum Arrays: Hashable, Sendable {
        /// `tags[]=a&tags[]=b`
        case brackets
        /// `tags=a&tags=b`
        case repeated
        /// `tags=a,b`; commas inside elements are escaped, those between them are not, except in a multipart body, whose texts have no
        /// escapes. An array or object as an element fails the request.
        case commas
        /// `tags[0]=a&tags[1]=b`
        case indices
    }

    /// How the members of an object are written.
    public enum Objects: Hashable, Sendable {
        /// `owner[login]=x`
        case brackets
        /// `owner.login=x`
        case dots
    }

    /// How a Boolean is written.
    public enum Booleans: Hashable, Sendable {
        /// `true` and `false`
        case words
        /// `1` and `0`
        case digits
    }

    /// How `null` is written.
    public enum Nulls: Hashable, Sendable {
        /// Omitted, including as an element of an array.
        case omitted
        /// `since=`
        case empty
    }

    /// How an array is written.
    public var arrays: Arrays
    /// How the members of an object are written.
    public var objects: Objects
    /// How a Boolean is written.
    public var booleans: Booleans
    /// How `null` is written.
    public var nulls: Nulls

    /// A style. The defaults are what most servers expect.
    public init(
        arrays: Arrays = .brackets, objects: Objects = .brackets, booleans: Booleans = .words, nulls: Nulls = .omitted
    ) {
        self.arrays = arrays
        self.objects = objects
        self.booleans = booleans
        self.nulls = nulls
    }
}
