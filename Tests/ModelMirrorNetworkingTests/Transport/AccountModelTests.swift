import AccountModel
import Testing

/// A sample of `Fuzzing accounts`: the same runs each time, without real connections.
@Suite("Accounts in random stacks")
struct AccountModelTests {
    @Test("Nothing is sent, answered or stored as somebody else, and nothing is refused without a reason")
    func model() {
        let outcome = AccountModel.run(count: 300, seed: 33, isReal: false)
        #expect(outcome.failure == nil)
        // Nothing holds by refusing.
        #expect(outcome.served > 100)
        #expect(outcome.shared > 0)
    }
}
