import AsyncHTTPClient
import Foundation
import ModelMirrorNetworking
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension TransportRequest {
    /// What an error of AsyncHTTPClient, or of NIO below it, is to a client.
    func failure(_ error: any Error) -> RequestError {
        let reason = "\(error)"
        return switch error {
        case let error as RequestError: error
        case is CancellationError: .cancelled
        case let error as HTTPClientError: failure(error)
        case let error as NIOConnectionError:
            failure(error.dnsAError ?? error.dnsAAAAError == nil ? .cannotConnect : .hostNotFound, reason)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: failure(.notSecure, reason)
        case HTTPParserError.invalidEOFState: failure(.connectionLost, reason)
        case is HTTPParserError: failure(.badResponse, reason)
        case let error as IOError where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode):
            failure(.cannotConnect, reason)
        case is IOError, is ChannelError: failure(.connectionLost, reason)
        default: failure(.other, reason)
        }
    }

    private func failure(_ error: HTTPClientError) -> RequestError {
        let reason = "\(error)"
        return switch error {
        case .cancelled: .cancelled
        case .remoteConnectionClosed, .uncleanShutdown, .requestStreamCancelled: failure(.connectionLost, reason)
        case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout: failure(.cannotConnect, reason)
        case .deadlineExceeded, .readTimeout, .writeTimeout: failure(.timedOut, reason)
        case .invalidURL, .emptyHost, .emptyScheme, .bodyLengthMismatch: .invalidRequest(reason)
        default: failure(.other, reason)
        }
    }

    func failure(_ kind: RequestError.ConnectionFailure.Kind, _ reason: String) -> RequestError {
        .connection(RequestError.ConnectionFailure(kind, url: url, reason: reason))
    }
}
