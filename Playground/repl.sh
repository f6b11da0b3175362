#!/usr/bin/env bash
# Starts the Swift REPL with this package's libraries: import ModelMirror, and type.
#
#     Playground/repl.sh              starts it
#     Playground/repl.sh --check      tells whether it can start; exit status 1 if not
#
# The REPL is LLDB, which needs the version of the Python library that the toolchain was built with. It is looked for where the
# loader looks, then in pyenv's versions, Homebrew, Conda and /usr/local; nothing is installed.
set -u
cd "$(dirname "$0")/.."

swift=$(command -v swift) || { echo "There is no swift in PATH; install a toolchain from https://swift.org/install." >&2; exit 1; }
# On macOS the toolchain comes with its Python, and ldd does not exist.
if command -v ldd > /dev/null; then
    lldb=$(dirname "$(readlink -f "$swift")")/../lib/liblldb.so
    [ -e "$lldb" ] || lldb=$(dirname "$(readlink -f "$swift")")/lldb
    # Such as libpython3.10.so.1.0.
    needed=$(ldd "$lldb" 2> /dev/null | sed -n 's/^[[:space:]]*\(libpython[^ ]*\) => not found.*/\1/p' | head -1)
    if [ -n "$needed" ]; then
        version=$(sed 's/libpython\([0-9.]*[0-9]\).*/\1/' <<< "$needed")
        found=
        for folder in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version"*/lib "${CONDA_PREFIX:-/opt/conda}"/lib \
            /home/linuxbrew/.linuxbrew/opt/python@"$version"/lib /usr/local/lib /opt/python"$version"/lib; do
            if [ -e "$folder/$needed" ]; then found=$folder; break; fi
        done
        if [ -z "$found" ]; then
            echo "The REPL needs $needed, which was not found. Install Python $version with its shared library:" >&2
            echo "    apt install libpython$version                                          (Debian, Ubuntu)" >&2
            echo "    PYTHON_CONFIGURE_OPTS=--enable-shared pyenv install $version              (any Linux)" >&2
            exit 1
        fi
        export LD_LIBRARY_PATH="$found${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
        export PYTHONHOME
        PYTHONHOME=$(dirname "$found")
    fi
fi
if [ "${1:-}" = --check ]; then exit 0; fi
exec "$swift" run --repl "$@"
