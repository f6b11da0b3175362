#!/usr/bin/env bash
# Checks that the folders of each target lean one way only, in the order given here, and that Docs/Architecture.md says so.
set -euo pipefail
cd "$(dirname "$0")/../.."

core=JSON,Formats,Reporting,Model,Converting,Reflection,Mapping,Writing
networking=Transport,URLSession,Curl,Persistence,Layers,Endpoint,Client,Repository,Streams,Pagination,Signals
arrows=Tests/Architecture/arrows.py

# Members of extensions, which the script cannot follow: the core's folders up to each one compile without those after it.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The one protocol that an early folder declares and a later one makes a class conform to.
cat >"$work/TableBacked.swift" <<'SWIFT'
extension AbstractModel: TableBacked {
    func isEqualByTable(_ other: AbstractModel) -> Bool { false }
    func copyByTable<Model: AbstractModel>(as type: Model.Type) throws(ModelError) -> Model { type.init() }
    func hashByTable(into hasher: inout Hasher) {}
}
SWIFT
# Where the compiler finds the macros of the standard library; the driver would tell it, but checks every file's functions.
host=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/host
server=$(ls "$host"/libSwiftInProcPluginServer.*)
language=(-swift-version 6 -package-name modelmirror -enable-upcoming-feature InternalImportsByDefault)
swiftc -emit-module -parse-as-library "${language[@]}" -module-name ModelMirrorFoundation \
    -o "$work/ModelMirrorFoundation.swiftmodule" Sources/ModelMirrorFoundation/*.swift
files=()
previous=
for folder in ${core//,/ }; do
    if [ "$folder" = Writing ]; then break; fi
    stub=()
    case $folder in Model | Converting | Reflection) stub=("$work/TableBacked.swift") ;; esac
    # Only the folder's own functions are checked: those before it have been.
    primary=()
    for file in Sources/ModelMirror/"$folder"/*.swift; do primary+=(-primary-file "$file"); done
    printf 'up to %s: %d files\n' "$folder" "$((${#files[@]} + ${#primary[@]} / 2))"
    swiftc -frontend -typecheck "${language[@]}" -module-name ModelMirror -I "$work" \
        -in-process-plugin-server-path "$server" -plugin-path "$host/plugins" "${primary[@]}" ${files[@]+"${files[@]}"} ${stub[@]+"${stub[@]}"} &
    current=$!
    files+=(Sources/ModelMirror/"$folder"/*.swift)
    # Two at a time.
    if [ -n "$previous" ]; then wait "$previous"; fi
    previous=$current
done
wait "$previous"

status=0
python3 $arrows Sources/ModelMirror --order $core || status=1
python3 $arrows Sources/ModelMirrorNetworking --order $networking || status=1
python3 $arrows Sources/ModelMirrorTesting || status=1
python3 $arrows Sources/ModelMirrorExploring --order Text,Reading,Inspection,Inference,Schemas,Checking,Querying,Drift,Statistics,Showing,Reports,Commands || status=1
# Docs/Architecture.md: its paths, its tables and its picture.
python3 Tests/Architecture/page.py || status=1
exit $status
