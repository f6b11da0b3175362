// The names that the page's WebSocket uses are in another module on Linux.
#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

func show(_ object: Any) {}
