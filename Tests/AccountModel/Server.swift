import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization

/// Answers requests, and runs the events of the plan while it does so. Two origins, by number.
final class Server: Sendable {
    struct Call {
        let method: HTTPMethod
        let url: URL
        let headers: HTTPHeaders
        let request: Int?
        let origin: Int
        let firstOrigin: Int
    }

    struct Reply {
        var status = 200
        var headers: HTTPHeaders = [:]
        var body = Data()
        /// The bytes after which the body breaks off.
        var cut: Int?
        var isLost = false
    }

    let world: World
    let origins: [URL]
    private let count = Mutex(0)
    private let run = Mutex<(@Sendable (Plan.Event) -> Void)?>(nil)

    init(_ world: World, _ origins: [URL]) {
        self.world = world
        self.origins = origins
    }

    func onEvent(_ run: (@Sendable (Plan.Event) -> Void)?) { self.run.withLock { $0 = run } }

    /// Notes the request, and runs the events of its place.
    func begin(_ call: Call) -> (World.Seen, Plan.Answer?) {
        let resource = call.url.path.split(separator: "/").prefix(2).joined(separator: "/")
        let isRenewal = resource == "token"
        let fields = call.headers.fields.map(\.value) + [call.url.query ?? "", call.url.user ?? ""]
        let seen = world.see(
            fields, request: isRenewal ? nil : call.request, origin: call.origin, firstOrigin: call.firstOrigin,
            resource: resource, isRange: call.headers[.range] != nil)
        let place = count.withLock { count in
            count += 1
            return count
        }
        var answer = world.withState { $0.nextAnswers.isEmpty ? nil : $0.nextAnswers.removeFirst() }
        for event in world.plan.triggers[place] ?? [] {
            if case .answer(let own) = event { answer = own } else { run.withLock { $0 }?(event) }
        }
        return (seen, answer)
    }

    /// The response, once the events have had their effect.
    func end(_ call: Call, _ seen: World.Seen, _ answer: Plan.Answer?) -> Reply {
        var seen = seen
        var reply = reply(to: call, seen, answer)
        seen.status = reply.status
        seen.isLost = reply.isLost
        seen.isCut = reply.cut != nil
        if case .loopback(let cookies) = world.plan.wire, cookies != .none, let request = seen.request,
            !seen.secrets.contains(where: { $0.holder == nil })
        {
            reply.headers.append("c=\(world.cookie(for: request, seen)); Path=/", for: "Set-Cookie")
        }
        world.reply(seen)
        return reply
    }

    private func reply(to call: Call, _ seen: World.Seen, _ answer: Plan.Answer?) -> Reply {
        var reply = Reply()
        var isCut = false
        var otherOrigin = false
        switch answer {
        case .status(let status):
            reply.status = status
            reply.body = Data("{}".utf8)
            reply.headers[.contentType] = "application/json"
            if status == 503 { reply.headers[.retryAfter] = "0" }
            return reply
        case .redirect(let other, let echo) where seen.firstOrigin == seen.origin && call.method == .get:
            var target = URLComponents(
                url: origins[other ? 1 - call.origin : call.origin].appendingPathComponent(call.url.path),
                resolvingAgainstBaseURL: true)
            let query = call.url.query(percentEncoded: true)
            target?.percentEncodedQuery =
                echo ? query : query?.split(separator: "&").first { $0.hasPrefix("page=") }.map(String.init)
            reply.status = 307
            reply.headers[.location] = target?.string ?? ""
            return reply
        case .lost:
            reply.isLost = true
            return reply
        case .cut: isCut = true
        case .otherOrigin: otherOrigin = true
        case .redirect, nil: break
        }
        write(&reply, to: call, seen, otherOrigin)
        if isCut, reply.body.count > 1 { reply.cut = reply.body.count / 2 }
        return reply
    }

    private func write(_ reply: inout Reply, to call: Call, _ seen: World.Seen, _ otherOrigin: Bool) {
        let json = "{\"seen\": \(seen.number)}"
        reply.headers[.contentType] = "application/json"
        switch call.url.path.split(separator: "/").first {
        case "r" where call.headers["If-None-Match"] == "\"same\"":
            reply.status = 304
            reply.headers[.eTag] = "\"same\""
        case "r":
            reply.headers[.eTag] = "\"same\""
            reply.headers[.cacheControl] = "max-age=60"
            reply.body = Data(json.utf8)
        case "a": reply.body = Data("[\(json),\(json)]".utf8)
        case "p":
            reply.body = Data("[\(json)]".utf8)
            let page = call.url.query(percentEncoded: false)?.split(separator: "&").first { $0.hasPrefix("page=") }
            let number = page.flatMap { Int($0.dropFirst(5)) } ?? 1
            if number < 3 {
                let next = origins[otherOrigin ? 1 - call.origin : call.origin].appendingPathComponent(call.url.path)
                reply.headers[.link] = "<\(next.absoluteString)?page=\(number + 1)>; rel=\"next\""
            }
        case "e":
            let number = (call.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0) + 1
            reply.headers[.contentType] = "text/event-stream"
            if number > 3 {
                reply.status = 204
            } else {
                reply.body = Data("retry: 0\nid: \(number)\ndata: \(json)\n\n:\n\n".utf8)
            }
        case "d":
            let file = Data(repeating: world.mark(seen), count: 64)
            reply.headers[.contentType] = "application/octet-stream"
            reply.headers[.eTag] = "\"file\""
            if let range = call.headers[.range], let first = Int(range.dropFirst(6).dropLast()), first < file.count {
                reply.status = 206
                reply.headers["Content-Range"] = "bytes \(first)-\(file.count - 1)/\(file.count)"
                reply.body = file[first...]
            } else {
                reply.body = file
            }
        default: reply.body = Data("{}".utf8)
        }
    }
}

/// A last transport that calls the server.
struct MemoryWire: Transport {
    let server: Server

    func identity(for request: TransportRequest) -> TransportIdentity { .none }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = try request.prepared()
        let first = server.origin(of: request.url)
        var count = 0
        while true {
            if Task.isCancelled { throw RequestError.cancelled }
            let call = Server.Call(
                method: request.method, url: request.url, headers: request.headers, request: Run.request,
                origin: server.origin(of: request.url), firstOrigin: first)
            let (seen, answer) = server.begin(call)
            await Simulation.settled()
            let reply = server.end(call, seen, answer)
            if Task.isCancelled { throw RequestError.cancelled }
            if reply.isLost { throw RequestError.connection(.init(.connectionLost, url: request.url, reason: "lost")) }
            if let next = try request.redirected(
                status: reply.status, headers: reply.headers, policy: request.redirects ?? .follow(limit: 5),
                count: count)
            {
                request = next
                count += 1
                continue
            }
            return TransportResponse(
                status: reply.status, headers: reply.headers, url: request.url, body: body(of: reply, request.url))
        }
    }

    private func body(of reply: Server.Reply, _ url: URL) -> ResponseBody {
        guard let cut = reply.cut else { return ResponseBody(reply.body) }
        let parts = Mutex([reply.body.prefix(cut)])
        return ResponseBody {
            if let part = parts.withLock({ $0.popLast() }) { return Data(part) }
            throw RequestError.connection(.init(.connectionLost, url: url, reason: "cut"))
        }
    }
}

extension Server {
    func origin(of url: URL) -> Int { url.host == origins[0].host && url.port == origins[0].port ? 0 : 1 }
}

/// Tells the server which request it gets, in fields that name no user.
struct TaggingTransport: Transport {
    let base: any Transport
    let server: Server

    func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = request
        if let number = Run.request { request.headers["X-Request-ID"] = String(number) }
        request.headers["X-Correlation-ID"] = "\(Run.number)-\(server.origin(of: request.url))"
        return try await base.response(to: request)
    }
}

/// Two servers over the loopback interface, shared by all runs.
final class LoopbackPair: Sendable {
    static let shared = Result { try LoopbackPair() }

    private let servers: [LoopbackServer]
    let origins: [URL]
    private let runs = Mutex<[Int: Server]>([:])

    private init() throws {
        var limits = LoopbackServer.Limits()
        limits.recordedExchanges = 0
        servers = [try LoopbackServer(limits: limits), try LoopbackServer(limits: limits)]
        // Two hosts, since cookies do not tell ports apart.
        origins = try zip(servers, ["127.0.0.1", "localhost"]).map { server, host in
            guard let url = URL(string: "http://\(host):\(server.port)") else { throw RequestError.invalidURL(host) }
            return url
        }
        for (origin, server) in servers.enumerated() {
            server.on(nil, "/*", .decided { [weak self] request in self?.response(to: request, origin) ?? .closed() })
        }
    }

    func register(_ server: Server?, _ number: Int) { runs.withLock { $0[number] = server } }

    private func response(to request: LoopbackRequest, _ origin: Int) -> LoopbackResponse {
        let tag = request.headers["X-Correlation-ID"]?.split(separator: "-") ?? []
        guard tag.count == 2, let number = Int(tag[0]), let server = runs.withLock({ $0[number] }),
            let url = URL(string: origins[origin].absoluteString + request.target)
        else { return .closed() }
        let call = Server.Call(
            method: request.method, url: url, headers: request.headers,
            request: request.headers["X-Request-ID"].flatMap { Int($0) }, origin: origin,
            firstOrigin: Int(tag[1]) ?? origin)
        let (seen, answer) = server.begin(call)
        let reply = server.end(call, seen, answer)
        if reply.isLost { return .closed() }
        if let cut = reply.cut {
            return .raw { writer in
                let fields = reply.headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
                try writer.write(
                    "HTTP/1.1 \(reply.status) Cut\r\n\(fields)Content-Length: \(reply.body.count)\r\n\r\n")
                try writer.write(reply.body.prefix(cut))
            }
        }
        return LoopbackResponse(status: reply.status, headers: reply.headers, body: reply.body)
    }
}
