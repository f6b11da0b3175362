import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting

// What the program of OpenAPI/shop.json checks: its client sends what the document says, and maps the responses.

let mock = MockTransport()
let api = PetShopAPI(client: APIClient(transport: mock, baseURL: URL(string: "https://api.example.com/v1")))
let pet = #"{"id": 1, "name": "Rex", "owner": {"kind": "person", "login": "mona"}}"#
mock.on(.get, "/v1/pets", .json("[\(pet)]"))
mock.on(.post, "/v1/pets", .json(pet, status: 201))
mock.on(.delete, "/v1/pets/1", .status(204))
mock.on(
    .get, "/v1/events", .json(#"[{"type": "sold", "price": 1.5}, {"type": "Visit", "guest": "a"}, {"type": "other"}]"#))
mock.on(.get, "/v1/counts", .json(#"{"dogs": 3}"#))

let pets = try await api.listPets(sort: .bornAt, xTrace: "7", limit: 2, tags: ["a", "b&c"])
print(pets[0].name, pets[0].owner is Person, mock.requests.last!.url.query()!, mock.requests.last!.headers["X-Trace"]!)
let new = NewPet()
new.name = "Rex"
print(try await api.createPet(body: new).id, mock.requests.last!.text!)
try await api.delete(petId: 1)
print(mock.requests.last!.method, mock.requests.last!.url.path, try await api.counts())
for event in try await api.events() { print(type(of: event), (event as? Sale)?.price ?? 0.0) }

mock.on(
    .get, "/v1/find", .json(#"[{"id": 1, "name": "Rex", "status": "sold", "former_state": "here", "login": null}]"#))
mock.on(.delete, "/v1/find", .status(204))
let found = try await api.find(value: "Rex", status: .sold)
print(found[0].status == found[0].formerState, found[0].login == nil, mock.requests.last!.url.query()!)
try await api.forget(send: true)
print(mock.requests.last!.url.query()!)

mock.on(
    .get, "/v1/animals",
    .json(
        #"[{"kind": "dog", "bark": true, "legs": 4}, {"kind": "Tame", "breed": "Dog", "bark": true}, {"kind": "Tame"}, {"kind": "owl"}]"#
    ))
for animal in try await api.animals(await: "a", try: 7, in: "b", `inout`: "c") {
    print(type(of: animal), (animal as? Dog)?.bark ?? false)
}
print(mock.requests.last!.url.query()!, mock.requests.last!.headers["try"]!)
let things = [
    #"{"what": "Tool", "use": "Saw", "teeth": 9}"#, #"{"what": "Tool", "use": "Axe"}"#,
    #"{"what": "Car", "wheels": 4}"#,
]
for thing in things { print(type(of: try JSONMapper.value(Thing.self, from: thing, options: .strict))) }
