#!/bin/bash
# Makes this machine ready: checks the Swift toolchain, installs the Debian packages that are
# missing, with --tests makes .venv with the tests' Python tools, and with --phone takes what `make test-phone-network` needs. Silent when all is there.
# Exit status: 0 ready, 2 bad arguments, 3 something is missing that this script may not install.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
stop() {
  say "$*"
  exit 3
}

groups=(build run)
with_tests=no
for argument in "$@"; do
  case $argument in
    --tests) groups+=(test) with_tests=yes ;;
    --phone) groups+=(phone) ;;
    *)
      say "unknown argument '$argument'; usage: scripts/setup.sh [--tests] [--phone]"
      exit 2
      ;;
  esac
done

check_swift() {
  local advice='install Swift 6.2 or newer (6.3 is what we use) for this system, put its usr/bin on PATH, and run this again'
  local found
  command -v swift >/dev/null || stop "there is no swift on PATH; $advice"
  found=$(swift --version 2>/dev/null) || stop "$(command -v swift) does not run; $advice"
  [[ $found =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] ||
    stop "$(command -v swift) does not tell its version; $advice"
  local major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
  ((major > 6 || (major == 6 && minor >= 2))) ||
    stop "$(command -v swift) is Swift $major.$minor; $advice"
}

# The packages of the groups named, one a line.
packages_of() {
  awk -v wanted=" $* " '
    { sub(/#.*/, "") }
    NF == 0 { next }
    $1 ~ /:$/ { group = substr($1, 1, length($1) - 1); next }
    index(wanted, " " group " ") { print $1 }
  ' debian-packages.txt
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say 'not a Debian system: nothing checked; the packages that are needed stand in debian-packages.txt'
    return
  fi
  local wanted installed missing
  wanted=$(packages_of "${groups[@]}" | sort)
  # dpkg-query fails when it does not know one of them; the others are listed all the same.
  # shellcheck disable=SC2086 # one argument for each package
  installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
    sed -n 's/^installed //p' | sort -u) || true
  missing=$(comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$installed") | xargs)
  [[ -n $missing ]] || return 0
  if ((EUID != 0)); then
    stop "packages are missing; as a user who may, run: sudo apt-get install -y --no-install-recommends $missing"
  fi
  say "installing $missing"
  local apt=(apt-get -qq -o DPkg::Lock::Timeout=300)
  export DEBIAN_FRONTEND=noninteractive
  "${apt[@]}" update >&2 ||
    stop 'apt-get update failed (see above); check the network and /etc/apt, and run this again'
  # shellcheck disable=SC2086
  "${apt[@]}" install -y --no-install-recommends $missing >&2 ||
    stop 'apt-get install failed (see above); mend that and run this again'
}

make_venv() {
  local pinned=Tests/python-tools.txt stamp=.venv/python-tools.txt python=/usr/bin/python3
  if [[ -x .venv/bin/python ]] && cmp --silent "$pinned" "$stamp"; then return; fi
  # Debian's own Python is the one that the package python3-venv belongs to.
  [[ -x $python ]] || python=$(command -v python3) ||
    stop 'there is no python3 on PATH; install Python 3.10 or newer with its venv module'
  say "making .venv from $pinned"
  "$python" -m venv --clear .venv >&2 ||
    stop "$python cannot make .venv (see above); install its venv module and run this again"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
    --requirement "$pinned" >&2 ||
    stop "pip could not install $pinned into .venv (see above); check the network and run this again"
  cp "$pinned" "$stamp"
}

check_swift
install_packages
if [[ $with_tests == yes ]]; then make_venv; fi
