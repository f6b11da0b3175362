import Foundation
import ModelMirror
import ModelMirrorNetworking

extension TourStep {
    static let repository = TourStep(
        "repository", "A repository fetches them",
        explanation: """
            One method per request; the closure gets a function that returns the objects or throws. A server on 127.0.0.1
            answers here, over real HTTP.
            """
    ) {
        try await GistsServer.run { server in
            await withCheckedContinuation { shown in
                // tour: repository
                GistsRepository(baseURL: server.url).requestGists(of: "octocat") { getGists in
                    do { show(try getGists()) } catch { show(error) }
                    shown.resume()  // tour: hidden
                }
                // tour: end
            }
        }
    }

    static let failingStatus = TourStep(
        "status", "A failing status is an error",
        explanation: "It keeps the head and the first bytes of the body, for a program to act on."
    ) {
        try await GistsServer.run { server in
            await withCheckedContinuation { shown in
                // tour: status
                GistsRepository(baseURL: server.url).requestGists(of: "nobody") { getGists in
                    do { show(try getGists()) } catch { show(error) }
                    shown.resume()  // tour: hidden
                }
                // tour: end
            }
        }
    }

    static let brokenBody = TourStep(
        "body", "A body that does not fit is an error, too",
        explanation: "The broken document again, now over HTTP: the same sentences."
    ) {
        try await GistsServer.run { server in
            await withCheckedContinuation { shown in
                // tour: body
                GistsRepository(baseURL: server.url).requestGists(of: "broken") { getGists in
                    do { show(try getGists()) } catch { show(error) }
                    shown.resume()  // tour: hidden
                }
                // tour: end
            }
        }
    }
}

extension TourStep {
    static let routes = TourStep(
        "routes", "An API is an enum, and a request can wait to be observed",
        explanation: """
            The questions of Stack Exchange; the environment says where that is, here on 127.0.0.1. The signal is cold:
            nothing is sent before somebody observes it, and each observation is a request of its own.
            """
    ) {
        try await TourServer.run { server in
            // tour: routes
            let local = StackExchangeServer(scheme: "http", host: "127.0.0.1", port: server.port)
            let repository = try QuestionsRepository(environment: local)
            let signal = RequestSignal { @MainActor in try await repository.questions() }
            show("requests before it is observed: \(server.requestCount)")
            for try await questions in signal { show(questions) }
            let list: QuestionList = try await repository.value(.route(StackExchange.questions))
            show("\(list.items.count) questions, has more \(list.hasMore), quota remaining \(list.quotaRemaining)")
            show("the live URL is \(try StackExchange.questions.url(for: .live))")
            // tour: end
            show(server.log)
        }
    }
}

extension TourStep {
    static let pages = TourStep(
        "pages", "Lists come page by page",
        explanation: """
            The server names the next page in the Link header field. A loop asks for pages as it needs them. A Paginator
            is the same list for a screen: an element that slipped onto the next page meanwhile is listed once.
            """
    ) {
        try await TourServer.run { server in
            let client = APIClient(baseURL: server.url)
            // tour: pages
            let repositories = Endpoint<[CodeRepository]>.get("search/repositories", at: "items")
            let pages = client.pages(repositories, by: LinkPagination())
            for try await repository in pages.matching("json").elements {
                show("\(repository.name), \(repository.stars) stars")
            }

            let list = Paginator(pages, identifiedBy: \.id)
            await list.search("json").value
            show("the list has \(list.elements.count) elements, has next \(list.hasNext)")
            if list.hasNext { await list.loadNext().value }
            show("the list has \(list.elements.count) elements, has next \(list.hasNext)")
            // tour: end
            show(server.log)
        }
    }
}

extension TourStep {
    static let store = TourStep(
        "store", "The second run is served from the store",
        explanation: """
            Responses are kept in files, and a policy says who is asked first: by default the store, then the network. A
            server that is asked again may answer 304: nothing has changed, the store serves.
            """
    ) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ModelMirrorTour-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await TourServer.run { server in
            // tour: store
            let gists = Endpoint<[Gist]>.get("users/octocat/gists")
            for (run, policy) in zip(1..., [FetchPolicy.cacheElseNetwork, .cacheElseNetwork, .networkOnly]) {
                // A new client each time, as a new run of the program has.
                let persistence = Persistence(try FileStore(folder: folder))
                let client = APIClient(baseURL: server.url, persistence: persistence)
                let count = try await client.value(gists, policy: policy).count
                show("run \(run): \(count) gists, requests so far: \(server.requestCount)")
            }
            // tour: end
            show(server.log)
        }
    }
}
