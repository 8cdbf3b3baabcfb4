# Standpoint's verbs; `make` lists them. Nothing here asks a question.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
# The program as it is installed: Swift's libraries inside, only what is used, relocations packed and no
# symbols exported. `gnss watch` then needs 10 MB less (docs/measured.md).
RELEASE := -c release --product standpoint --scratch-path .build-release --static-swift-stdlib \
  -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --gc-sections \
  -Xlinker --no-export-dynamic -Xlinker -s

.PHONY: help setup build release test demo lint format exports ci clean bench bench-review pictures figures fuzz untouched likeness displacement soak soak-delivery test-kill test-release test-hostile test-bundles sanitize test-network test-phone-network test-bluetooth test-hotspot test-names test-api test-browser test-repeat

# Parallel compiler jobs: `make build JOBS=8`.
JOBS ?= 2
PROGRAM := .build/debug/standpoint
SWIFT_CODE := $(wildcard Package.swift Sources Tests Examples \
  Benchmarks/Package.swift Benchmarks/Benchmarks Benchmarks/Sources Fuzz/Package.swift Fuzz/Sources)
DEMO := $(PROGRAM) demo --headless --out out/demo

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: ## check Swift and install the Debian packages that build and demo need
	@scripts/setup.sh

build: setup ## build the program (debug)
	swift build --jobs $(JOBS)

release: setup ## build the program as it is installed, and its library, into .build-release/release
	swift build --jobs $(JOBS) $(RELEASE)
	swift build --jobs $(JOBS) $(subst --product standpoint,--product StandpointMatching,$(RELEASE))

# A thousand tests at once make each other wait for minutes; a few at a time are done sooner.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 6

# The C library fills what is freed: a test that reads it fails each time, and not once in a month.
test test-installed: export MALLOC_PERTURB_ := 165

test: ## set up, then run every test
	@scripts/setup.sh --tests
	@mkdir -p out; echo swift test --jobs $(JOBS); \
	swift test --jobs $(JOBS) 2>&1 | tee out/test.log || { \
	  status=$$?; \
	  printf '\nwhat failed (all of it is in out/test.log):\n'; \
	  grep -E '^✘ (Test|Suite) .* recorded an issue|error: ' out/test.log | cut -c1-400 | head -n 20; \
	  exit $$status; \
	}

demo: build ## set up, build, then the whole story on this machine, into out/demo
	$(DEMO)

lint: ## check the format of all Swift code, and the pages' scripts
	swift format lint --strict --parallel --recursive $(SWIFT_CODE)
	scripts/lint-scripts.sh

format: ## format all Swift code
	swift format --in-place --parallel --recursive $(SWIFT_CODE)

exports: build ## make exports/ again from the committed fixture
	scripts/make-exports.sh

# Package.swift turns warnings into errors where CI or STRICT is set. Build, tests and demo share
# one environment, so that `make test` finds everything built and the demo runs that same program.
ci: export CI := 1
ci: export STRICT := 1
# A crash shall end the run, not start a debugger that waits.
ci: export SWIFT_BACKTRACE := enable=no
ci: ## everything that must hold: lint, strict build, tests, demo, the release program; ends with the time of each
	@times=; part=; \
	finish() { \
	  local status=$$?; \
	  printf '\nmake ci:\n%s  %-8s %5d s\n' "$$times" total $$SECONDS; \
	  if ((status)); then echo "  failed in: $$part" >&2; fi; \
	}; \
	trap finish EXIT; \
	run() { \
	  local began=$$SECONDS; part=$$1; shift; \
	  printf '\n== %s: %s\n' "$$part" "$$*"; \
	  "$$@"; \
	  times+=$$(printf '  %-8s %5d s' "$$part" $$((SECONDS - began)))$$'\n'; \
	}; \
	run setup scripts/setup.sh --tests; \
	run lint $(MAKE) --no-print-directory lint; \
	run build swift build --build-tests --jobs $(JOBS); \
	run test $(MAKE) --no-print-directory test; \
	run demo $(DEMO); \
	run release $(MAKE) --no-print-directory release; \
	run installed $(MAKE) --no-print-directory test-installed

clean: ## remove what was built: .build, .venv, out
	rm -rf .build .venv out

bench: build ## by hand: measure; results get a dated line in docs/measured.md
	scripts/bench.sh
	scripts/bench-positioning.sh

figures: ## by hand: the tables of docs/gate.md; RECORDINGS=FOLDER adds recordings
	cd Benchmarks && swift build -c release --product figures
	Benchmarks/.build/release/figures curve $(if $(RECORDINGS),--recordings "$(RECORDINGS)")
	Benchmarks/.build/release/figures radius
	$(if $(RECORDINGS),Benchmarks/.build/release/figures captures "$(RECORDINGS)"/*stationary*.nmea)

fuzz: ## by hand: libFuzzer on the stream decoder and the epoch assembler; RUNS=10000000
	scripts/fuzz.sh $(RUNS)

untouched: ## by hand: no false alarm on 10,002 captures that nobody touched (4 min)
	swift build --build-tests --jobs $(JOBS)
	UNTOUCHED=10002 SWIFT_BACKTRACE=enable=no swift test --skip-build --filter UntouchedCapturesTests

likeness: ## by hand: how surely changed pictures are found again, 1,500 of them (8 min)
	swift build --build-tests --jobs $(JOBS)
	LIKENESS=1500 SWIFT_BACKTRACE=enable=no swift test --skip-build --filter LikenessTests

displacement: ## by hand: how exactly the displacement of pictures is measured, 700 of them, and 1,000 different pairs (8 min)
	swift build --build-tests --jobs $(JOBS)
	DISPLACEMENT=100 SWIFT_BACKTRACE=enable=no swift test --skip-build --filter DisplacementTests

soak: soak-delivery ## by hand: soak-delivery, and 1,000 times a TCP receiver and 100 times gpsd go away and come back (8 min)
	swift build --build-tests --jobs $(JOBS)
	SOAK=1 SWIFT_BACKTRACE=enable=no swift test --skip-build --no-parallel \
	  --filter 'SoakTests|ReceiverContractTests'

# Seeds to begin with and how many: `make soak-delivery FIRST=20000 RUNS=10000`.
FIRST ?= 0
soak-delivery: setup ## by hand: field units and offices on bad networks and disks; FIRST=0 RUNS=10000 (15 min)
	swift build --jobs $(JOBS) $(subst --product standpoint,--product simulate,$(RELEASE))
	SWIFT_BACKTRACE=enable=no .build-release/release/simulate $(FIRST) $(if $(RUNS),$(RUNS),10000)

# Screenshots of every page lie in out/screenshots afterwards, for eyes.
test-browser: build ## by hand: every page in Chromium, by axe, in each theme; the first hour; an officer's and an inspector's day, both among fifty tasks; a photo point's life; the map of many years; a set of pictures; an order with items; a phone as the camera (19 min)
	@scripts/setup.sh --tests
	mkdir -p out/browser
	.venv/bin/python Tests/Browser/pages.py $(PROGRAM) out/browser/pages --pictures out/screenshots
	.venv/bin/python Tests/Browser/pages.py $(PROGRAM) out/browser/wordy --language en-x-long --pictures out/screenshots/wordy
	.venv/bin/python Tests/Browser/officer_day.py $(PROGRAM) out/browser/day
	.venv/bin/python Tests/Browser/bulk_day.py $(PROGRAM) out/browser/bulk out/screenshots/bulk
	.venv/bin/python Tests/Browser/inspector_day.py $(PROGRAM) out/browser/inspector out/day
	.venv/bin/python Tests/Browser/maps.py $(PROGRAM) out/browser/maps
	.venv/bin/python Tests/Browser/first_hour.py $(PROGRAM) out/browser/first-hour out/screenshots
	.venv/bin/python Tests/Browser/crowd_day.py $(PROGRAM) out/browser/crowd out/screenshots
	.venv/bin/python Tests/Browser/point_day.py $(PROGRAM) out/browser/point out/screenshots/point
	.venv/bin/python Tests/Browser/years_day.py $(PROGRAM) out/browser/years out/screenshots/years
	.venv/bin/python Tests/Browser/set_day.py $(PROGRAM) out/browser/set out/screenshots/set
	.venv/bin/python Tests/Browser/set_camera.py $(PROGRAM) out/browser/set-camera out/screenshots/set-camera
	.venv/bin/python Tests/Browser/items_day.py $(PROGRAM) out/browser/items out/screenshots/items
	.venv/bin/python Tests/Browser/phone_day.py $(PROGRAM) out/browser/phone out/screenshots/phone
	.venv/bin/python Tests/Browser/hotspot_page.py $(PROGRAM) out/browser/hotspot out/screenshots/hotspot

# Network namespaces and TUN devices: root's, so not among the others.
test-phone-network: release ## by hand, as root: a phone's camera over networks with delay and loss, four phones at once, the network gone in the middle of 100 captures, and WebKit (25 min)
	@scripts/setup.sh --tests --phone
	.venv/bin/python Tests/Browser/phone_webkit.py .build-release/release/standpoint out/browser/phone-webkit
	.venv/bin/python Tests/Browser/phone_network.py .build-release/release/standpoint out/browser/phone-network --photos 12 --losses 100
	.venv/bin/python Tests/Browser/phone_crowd.py .build-release/release/standpoint out/browser/phone-crowd

test-repeat: build ## by hand: a hand that only follows the frame to an earlier picture, 100 times (12 min)
	@scripts/setup.sh --tests
	.venv/bin/python Tests/Browser/repeat_hand.py $(PROGRAM) out/browser/hand 100 out/screenshots

# Behind `make release`: the limit is that of the program as it is installed.
bench-review: release ## by hand: milliseconds behind each key of the review desk, over a hundred tasks (4 min)
	@scripts/setup.sh --tests
	.venv/bin/python Tests/Browser/review_speed.py .build-release/release/standpoint out/browser/review

pictures: build ## by hand: the documents' pictures taken again, and pages in Czech to look at in out/czech (3 min)
	@scripts/setup.sh --tests
	.venv/bin/python Tests/Browser/pictures.py $(PROGRAM) out/browser/pictures docs/images out/czech

test-network: release ## by hand: a proxy that drops each k-th answer, and one that cuts at each percent, and on a slow network; time authorities that come and go; ten invented receivers (15 min)
	scripts/bad-network.py --program .build-release/release/standpoint
	scripts/test-timestamps.py --program .build-release/release/standpoint
	@scripts/setup.sh --tests
	.venv/bin/python scripts/test-fakes.py --program .build-release/release/standpoint

test-tokens: release ## by hand: the device's key in SoftHSM and in a TPM in software; tokens that are pulled, modules that crash (1 min)
	@scripts/setup.sh --tests
	scripts/test-tokens.py --program .build-release/release/standpoint

# The optimizer has once made of a correct debug program one that any stranger could end: see decision 19.
INSTALLED := .build-release/release/standpoint
test-release: release test-installed ## build the program as it is installed, and test that one (5 min behind the build)

# Behind `make release` and a debug build of the tests; `make ci` has both.
test-installed:
	@scripts/setup.sh --tests
	rm -rf out/installed; mkdir -p out/installed
	scripts/test-hostile.py --program $(INSTALLED) --bodies 200 --requests 3000
	scripts/kill-captures.py --program $(INSTALLED) --runs 20
	scripts/kill-deliveries.py --program $(INSTALLED) --kills 10
	scripts/bad-network.py --program $(INSTALLED) --only drop --from 2 --to 3
	scripts/bad-network.py --program $(INSTALLED) --only cut --from 50 --to 52
	STANDPOINT_PROGRAM=$(abspath $(INSTALLED)) swift test --skip-build --filter JourneyTests
	.venv/bin/python Tests/Browser/inspector_day.py $(INSTALLED) out/installed/inspector
	.venv/bin/python Tests/Browser/officer_day.py $(INSTALLED) out/installed/officer

test-bundles: release ## by hand: 200 alterations of a bundle by a program that knows only its README; 98 alterations and 13 forgeries by number (5 min)
	scripts/alter-bundles.py $(INSTALLED) exports/day.zip --count 200
	.venv/bin/python scripts/try-attacks.py $(INSTALLED)

test-hostile: release ## by hand: 1,000 refused bodies of 16 MB and 10,000 hostile requests against both programs (5 min)
	scripts/test-hostile.py --program $(INSTALLED)

# One sanitizer is one build of everything in a folder of its own. LeakSanitizer reports XCTest itself.
SANITIZED ?= WebTests|OfficeContracts|EvidenceTests|ImageryTests|StoreTests|ReceiversTests|ExportsTests|OfficeTests|PredecessorTests|FieldUnitTests
# These ask the same of many addresses and captures, and take longer than their limits there.
SKIPPED ?= RouteMatrixTests|UntouchedCapturesTests
sanitize: setup ## by hand: tests and hostile requests with AddressSanitizer, then with ThreadSanitizer (1 h)
	@scripts/setup.sh --tests
	for kind in address thread; do \
	  swift build --build-tests --jobs $(JOBS) --sanitize=$$kind --scratch-path .build-$$kind; \
	  ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no swift test --skip-build --sanitize=$$kind \
	    --scratch-path .build-$$kind --filter '$(SANITIZED)' --skip '$(SKIPPED)'; \
	  ASAN_OPTIONS=detect_leaks=0 scripts/test-hostile.py --program .build-$$kind/debug/standpoint \
	    --bodies 50 --requests 2000; \
	done

test-kill: build ## by hand: kill -9 200 times in the capture path, 100 times while a batch travels
	scripts/kill-captures.py --runs 200
	scripts/kill-deliveries.py --kills 100

# The program of `make build`, or another: `make test-api PROGRAM=.build-release/release/standpoint`.
test-api: ## by hand: a running office's answers against schemas/openapi.yaml, by schemathesis (3 min)
	@scripts/setup.sh --tests
	scripts/test-api.py $(PROGRAM)

test-bluetooth: build ## by hand: a real BlueZ with two virtual controllers, in a virtual machine (4 min)
	scripts/test-bluetooth.sh

test-names: release ## by hand, as root: two field units with an Avahi each in one network, of which one has the name (1 min)
	@scripts/setup.sh --phone
	scripts/test-names.py --program $(INSTALLED)

test-hotspot: release ## by hand, as root: the hotspot and the name in the network with a real NetworkManager and Avahi, and eight phones, in a virtual machine (5 min)
	scripts/test-hotspot.sh $(CURDIR)/.build-release/release/standpoint
