import ModelMirrorExploring
import Testing

@MainActor struct ShellCompletionTests {
    private let fixture = CommandLineFixture()

    @Test func bashCompletesCommandsOptionsAndClasses() async {
        let script = await fixture.run("completions", "bash").output
        #expect(
            script == """
                _tool() {
                    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words
                    if [ "$COMP_CWORD" -eq 1 ]; then words='infer inspect check drift stats report query schema completions help --help --version'
                    else case ${COMP_WORDS[1]} in
                    infer) words='--name --prefix --keys --schema --data --sample --seed --json --help' ;;
                    inspect) words='--json --help Shop Item City Misnamed Bank' ;;
                    check) words='--against --at --strict --all --sample --seed --json --help' ;;
                    drift) words='--sample --seed --json --help' ;;
                    stats) words='--csv --json --help' ;;
                    report) words='--html --against --at --strict --drift --json --help' ;;
                    query) words='--paths --json --help' ;;
                    schema) words='--json --help Shop Item City Misnamed Bank' ;;
                    completions) words='--json --help' ;;
                    esac; fi
                    if [ "$before" = --against ]; then words='Shop Item City Misnamed Bank'; fi
                    COMPREPLY=($(compgen -W "$words" -- "$word"))
                }
                complete -o default -F _tool tool
                """)
        #expect(
            await fixture.run("completions", "zsh").output
                == "#compdef tool\nautoload -U +X bashcompinit && bashcompinit\n" + script)
    }

    @Test func fishShowsSummaries() async {
        let lines = await fixture.run("completions", "fish").output.split(separator: "\n")
        #expect(lines[0].hasPrefix("complete -c tool -n __fish_use_subcommand -a infer -d 'write Swift classes for "))
        #expect(
            lines.contains(
                "complete -c tool -n '__fish_seen_subcommand_from check' -l against -r -a 'Shop Item City Misnamed Bank' -d 'the class that documents are mapped as'"
            ))
    }
}
