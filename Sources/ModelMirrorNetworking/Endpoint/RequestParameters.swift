public import ModelMirror
public import ModelMirrorFoundation

/// The parameters of a request: a query, or a body with its content type.
///
/// The method decides where a literal goes: as JSON in the body of POST, PUT and PATCH, otherwise in the query. The static
/// functions fix the place.
///
/// ```swift
/// let page: RequestParameters = ["q": text, "page": 2]         // GET …?q=swift&page=2, POST {"q":"swift","page":2}
/// let form: RequestParameters = .form(["user": "me", "note": "a b"])             // user=me&note=a+b
/// let gist: RequestParameters = .json(model)
/// let file: RequestParameters = .multipart([FormPart(type: .png, name: "image", file: url)])
/// ```
///
/// Order is fixed: that of the literal, otherwise sorted by name. `Content-Type` is set only if the request has none, except for
/// multipart, which always sets it because of the boundary. A value that cannot be written (a model with a NaN, a missing
/// file) fails the request before it is sent.
public struct RequestParameters: Sendable, ExpressibleByDictionaryLiteral {
    private let add: @Sendable (inout TransportRequest, RequestRules) throws -> Void

    private init(_ add: @escaping @Sendable (inout TransportRequest, RequestRules) throws -> Void) { self.add = add }

    /// Parameters placed by the method, in the order of the literal.
    public init(dictionaryLiteral elements: (String, (any ParameterValue)?)...) { self.init(ParameterList(elements)) }

    /// Parameters placed by the method: in a JSON object for POST, PUT and PATCH (`{}` if there are none), otherwise in the
    /// query.
    ///
    /// - Parameters:
    ///   - list: The parameters. Names in a JSON object must be unique.
    ///   - style: How values are written in a query; nil for the client's ``APIClient/Configuration/parameterStyle``.
    public init(_ list: ParameterList, style: ParameterStyle? = nil) {
        add = { request, rules in
            let isBody = [.post, .put, .patch].contains(request.method)
            let placed: RequestParameters = isBody ? .json(list) : .query(list, style: style)
            try placed.add(&request, rules)
        }
    }

    /// Parameters in the URL's query, for any method, after those of the address. Escaped by RFC 3986: everything except
    /// letters, digits and `-._~`; a space is `%20`.
    public static func query(_ list: ParameterList, style: ParameterStyle? = nil) -> RequestParameters {
        RequestParameters { request, rules in
            request.url = try request.url.addingQuery(list, style: style ?? rules.style)
        }
    }

    /// Parameters in an `application/x-www-form-urlencoded` body, encoded as in the WHATWG URL standard: a space is `+`.
    public static func form(_ list: ParameterList, style: ParameterStyle? = nil) -> RequestParameters {
        RequestParameters { request, rules in
            let text = try ParameterEncoder.text(list, style: style ?? rules.style, isForm: true)
            try request.setBody(.data(Data(text.utf8)), type: "application/x-www-form-urlencoded")
        }
    }

    /// Bytes, sent unchanged.
    public static func data(_ data: Data, contentType: String) -> RequestParameters {
        RequestParameters { request, _ in try request.setBody(.data(data), type: contentType) }
    }

    /// The content of a file, read while it is sent.
    public static func file(_ url: URL, contentType: String) -> RequestParameters {
        RequestParameters { request, _ in
            _ = try HTTPBody.file(url).measured()
            try request.setBody(.file(url), type: contentType)
        }
    }

    /// A `multipart/form-data` body (RFC 7578) with a new boundary for each request: first the text fields, then the parts,
    /// streamed from memory and files.
    ///
    /// - Parameters:
    ///   - parts: The parts in order.
    ///   - fields: Text fields before the parts; arrays and objects become several fields, in the client's style.
    public static func multipart(_ parts: [FormPart], fields: ParameterList = [:]) -> RequestParameters {
        RequestParameters { request, rules in
            // 128 random bits, so that no part contains it.
            let digits = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
            let boundary = "Boundary-" + digits.joined(separator: "-")
            let type = "multipart/form-data; boundary=\(boundary)"
            try request.setBody(.multipart(fields.textParts(rules.style) + parts, boundary: boundary), type: type)
            request.headers[.contentType] = type
        }
    }

    // MARK: JSON

    /// A JSON object as the body, in the order of the list.
    ///
    /// - Parameter members: The members; names must be unique.
    public static func json(_ members: ParameterList) -> RequestParameters { json { _ in try members.jsonObject() } }

    /// A JSON value as the body; members are sorted by key.
    public static func json(value: JSONValue) -> RequestParameters { json { _ in try value.jsonData() } }

    /// A model as the body, or an Optional, array or dictionary of models, written now: later changes to it are not sent. Without a
    /// client there are only the class's own rules and `mapping`; `client.json(model)` also writes with those of a client.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - options: How the text is written.
    ///   - mapping: Overrides of the class's rules, such as the form of dates; see `MappingOptions`.
    public static func json(
        _ model: some MappedValue, options: WritingOptions = [], mapping: MappingOptions = .init()
    ) -> RequestParameters {
        let written = Result { try model.jsonData(options: options, mapping: mapping) }
        return json { _ in try written.get() }
    }

    /// An `Encodable` value as the body, written when it is sent.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder; nil for the client's rules: the keys, dates, non-finite numbers and encoder of
    ///     ``APIClient/Configuration/mappingOptions``, otherwise sorted keys and ISO 8601 dates.
    public static func json(
        encodable value: some Encodable & Sendable, encoder: JSONEncoder? = nil
    ) -> RequestParameters {
        json { mapping in try encoder?.encode(value) ?? JSONMapper.jsonData(encoding: value, mapping: mapping) }
    }

    private static func json(_ write: @escaping @Sendable (MappingOptions) throws -> Data) -> RequestParameters {
        RequestParameters { request, rules in try request.setBody(.data(write(rules.mapping)), type: "application/json")
        }
    }

    /// Adds the parameters to a request.
    ///
    /// The URL's own query stays in front, a fragment stays, and without parameters no `?` is added.
    ///
    /// - Parameter rules: The client's.
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a body on GET, HEAD, TRACE or CONNECT, a request that has a body
    ///   already, a duplicate name in a JSON object, an unreadable file; `ModelError` or the encoder's error if the JSON
    ///   could not be written. The request is then unchanged.
    package func apply(to request: inout TransportRequest, by rules: RequestRules = RequestRules()) throws {
        try add(&request, rules)
    }
}

extension TransportRequest {
    fileprivate mutating func setBody(_ body: HTTPBody, type: String) throws(RequestError) {
        if [.get, .head, .trace, .connect].contains(method) {
            throw .invalidRequest(
                "a \(method) request cannot have a body; send the parameters with .query or use another method")
        }
        if self.body != nil { throw .invalidRequest("the request already has a body, and the parameters add another") }
        self.body = body
        if headers[.contentType] == nil { headers[.contentType] = type }
    }
}

extension ParameterList {
    fileprivate func jsonObject() throws -> Data {
        var names: Set<String> = []
        let members = try sendable().map { parameter in
            guard names.insert(parameter.name).inserted else {
                throw RequestError.invalidRequest(
                    "the parameter \(parameter.name.debugDescription) occurs twice in a JSON object")
            }
            return try JSONValue.string(parameter.name).jsonData() + ":".utf8 + parameter.value.jsonData()
        }
        return Data("{".utf8) + members.joined(separator: ",".utf8) + "}".utf8
    }
}
