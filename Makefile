# `make help` lists the targets. `make test` runs every check except `make slow-tests`,
# `make test-otp`, `make test-fresh`, `make fault-tests` and `make browser-tests`.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory

CARGO ?= cargo
REBAR3 ?= rebar3

target := $(or $(CARGO_TARGET_DIR),target)
tool := $(target)/release/erlconcolic

# cargo-nextest if it is installed, else `cargo test`. Only the recipes that use it look it up.
runner = $(if $(shell $(CARGO) nextest --version 2>/dev/null),nextest run,test)
kinds := --lib --bins --tests
# `cargo nextest` has profiles of its own, and builds everything at once for both kinds of tests.
is_nextest = $(findstring nextest,$(runner))
profile = $(if $(is_nextest),--cargo-profile,--profile)
units = --workspace $(if $(is_nextest),-E 'not package(end-to-end)',--exclude end-to-end)
end_to_end = $(if $(is_nextest),--workspace -E 'package(end-to-end)',--package end-to-end)

# From cheap to expensive.
checks := check-style check-scripts check-format clippy erlang unit-tests \
          doc-tests end-to-end-tests

# A saved run of `make bench`.
SAVED ?= docs/benchmarks.json
measure = $(CARGO) run --release --quiet --package end-to-end --bin

heading = @printf '\n== %s ==\n'

.PHONY: help setup build dist demo test check smoke $(checks) test-otp test-fresh slow-tests \
        fault-tests browser-tests fuzz format bench bench-part bench-compare bench-save bench-scale cases survey samples review clean

help: ## Show this list
	@awk 'BEGIN { FS = ":.*## " } \
	    /^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' \
	    $(firstword $(MAKEFILE_LIST))

setup: ## Install what is missing (Erlang/OTP, Elixir, rebar3, Z3, compilers, Rust)
	@scripts/setup.sh

build: ## Build the tool with optimisation
	@$(CARGO) build --release --package erlconcolic

dist: build ## Pack the tool for users, into target/dist
	@scripts/dist.sh $(tool) $(or $(CARGO_TARGET_DIR),target)/dist

# Set-up comes before the rest even under `make -j`, hence the inner make.
demo: setup ## Set up, build, and try the tool on two samples
	@$(MAKE) build
	$(heading) 'samples/paper/app.erl as flat Core Erlang'
	@$(tool) flatten samples/paper/app.erl --emit flat
	$(heading) 'samples/calculator/calculator.erl explored'
	@# Status 1 means findings, as expected here.
	@$(tool) explore samples/calculator/calculator.erl --entry calculate/1 \
	    --term-depth 4 || [[ $$? == 1 ]]

test: setup ## Set up, then run every check
	@$(MAKE) check

check: $(checks) ## Run every check without the set-up
	$(heading) 'all checks passed'

smoke: ## Run only the unit tests, in less than 30 seconds
	@$(CARGO) test --quiet --workspace --lib

check-style: ## Check the style rules that no compiler checks
	$(heading) 'style'
	@scripts/check-style.sh

check-scripts: ## Test the scripts
	$(heading) 'scripts'
	@scripts/test-setup.sh
	@scripts/test-otp.sh
	@! command -v shellcheck >/dev/null || shellcheck scripts/*.sh .ci/run

check-format: ## Check the format of the Rust code
	$(heading) 'cargo fmt --check'
	@$(CARGO) fmt --all --check

format: ## Format the Rust code
	@$(CARGO) fmt --all

# Other releases of Rust have other lints: there, warnings are only shown.
linted_rust := 1.95
is_linted = $(filter $(linted_rust).%,$(shell rustc --version))
clippy: ## Lint the Rust code; warnings are errors
	$(heading) 'cargo clippy'
	@# The profile of the tests, so that macros and build scripts are compiled once.
	@$(CARGO) clippy --profile end-to-end --workspace --all-targets -- $(if $(is_linted),-D warnings)

erlang: ## Build and check the Erlang code: EUnit, xref, Dialyzer
	$(heading) 'erlang-support'
	@cd erlang-support && \
	    REBAR_OFFLINE=1 $(REBAR3) do compile, eunit, xref, dialyzer

unit-tests: ## Run the tests of each crate
	$(heading) 'unit tests'
	@$(CARGO) $(runner) $(profile) end-to-end $(units) $(kinds)

doc-tests: ## Run the examples in the documentation comments
	$(heading) 'documentation tests'
	@$(CARGO) test --quiet --profile end-to-end --workspace --doc

# Optimised: they read all of OTP, more than 100 MB of Core Erlang.
end-to-end-tests: ## Run the tests of the whole tool, on OTP itself
	$(heading) 'end-to-end tests'
	@$(CARGO) $(runner) $(profile) end-to-end $(end_to_end) $(kinds)

# The tool is built first, with the release of this machine: a packed tool is built with one release
# and used on another. Only the tests run on the other one, and what EUnit leaves is kept apart.
# `make test-otp OTP=27 TESTS='cases samples'` runs only these files of tests.
OTP ?=
TESTS ?=
chosen = $(if $(TESTS),$(addprefix --test ,$(TESTS)),$(kinds))
use_otp = PATH="$$(scripts/otp.sh $(OTP)):$$PATH" && export PATH
test-otp: ## Run the EUnit and end-to-end tests on another release of OTP (OTP=27)
	@scripts/otp.sh $(OTP) >/dev/null
	@$(CARGO) $(runner) --no-run $(profile) end-to-end $(end_to_end) $(chosen)
	$(heading) 'EUnit tests on OTP $(OTP)'
	@$(use_otp) && cd erlang-support && \
	    REBAR_OFFLINE=1 REBAR_BASE_DIR=_build/otp-$(OTP) $(REBAR3) do compile, eunit
	$(heading) 'end-to-end tests on OTP $(OTP)'
	@$(use_otp) && $(CARGO) $(runner) $(profile) end-to-end $(end_to_end) $(chosen)

# Options: --suite sid, --only-demo, --keep.
FRESH ?=
test-fresh: ## Do what the README says on a fresh Debian in a folder (needs root and debootstrap)
	$(heading) 'fresh machine'
	@scripts/test-fresh.sh $(FRESH)

# `cargo test` and `cargo nextest` have different options for ignored tests.
slow-tests: ## Run the tests that take minutes: large folders of cases, all of OTP
	$(heading) 'slow end-to-end tests'
	@$(CARGO) $(runner) $(profile) end-to-end --package end-to-end --tests \
	    $(if $(is_nextest),--run-ignored only,-- --ignored)

# Options: --minutes N, --seed N, names of faults.
FAULTS ?=
fault-tests: ## Inject faults into searches for an hour: killed BEAMs, full disks, cut channels
	$(heading) 'fault tests'
	@$(CARGO) build --profile end-to-end --package end-to-end --bins
	@$(target)/end-to-end/fault-kit $(FAULTS)

# Needs node, npm and chromium, unlike the other targets.
browser-tests: ## Test HTML reports in a real browser
	$(heading) 'browser tests'
	@$(CARGO) build --profile end-to-end --package erlconcolic
	@scripts/browser-tests.sh $(target)/end-to-end/erlconcolic $(target)/browser-tests

# `make fuzz FUZZ_SECONDS=600` runs longer.
FUZZ_SECONDS ?= 60
fuzz: ## Give damaged input to each reader of the tool for a minute
	$(heading) 'damaged input'
	@FUZZ_SECONDS=$(FUZZ_SECONDS) $(CARGO) test --profile end-to-end --package end-to-end \
	    --test hostile_input -- --nocapture --test-threads 1

cases: ## Explore the cases, and print how many of each folder are as they should be
	@$(CARGO) test --quiet --profile end-to-end --package end-to-end --test cases -- --include-ignored --nocapture

# The last program joins the reports that the others leave in target/bench.
bench: build ## Measure everything: docs/benchmarks.md and target/bench/bench.json
	@rm -rf $(target)/bench
	@$(measure) bench-front-end
	@$(measure) bench-instrumented
	@$(measure) bench-explore
	@$(measure) bench-mutants -- $(tool)
	@$(measure) bench-suite -- $(tool) docs

# `make bench-part PART=pruning`; the other parts of the page are those of the saved run.
PART ?= machines
bench-part: build ## Measure one part: suite, pruning, costs, machines, cluster, explore, instrumented
	@part=$(PART); case $$part in explore|instrumented) \
	    $(measure) bench-$$part; part=page ;; esac; \
	$(measure) bench-suite -- $(tool) docs $$part

bench-compare: ## Show what changed since a saved run (SAVED=docs/benchmarks.json)
	@$(measure) bench-compare -- $(SAVED) $(target)/bench/bench.json

bench-save: ## Save the last run for bench-compare
	@cp $(target)/bench/bench.json $(SAVED)

bench-scale: build ## Measure a search of a million paths (takes long)
	@$(measure) bench-suite -- $(tool) docs --scale

survey: build ## Explore modules of OTP and write docs/survey.md
	@$(CARGO) run --release --quiet --package end-to-end --bin survey -- \
	    $(tool) docs/survey.md

samples: build ## Explore every program in samples/
	@scripts/explore-samples.sh $(tool)

review: ## Review the snapshots that changed
	@$(CARGO) insta --version >/dev/null 2>&1 || { \
	    echo "cargo-insta is missing: cargo install cargo-insta" >&2; exit 1; }
	@$(CARGO) insta review

clean: ## Remove build results
	@$(CARGO) clean
	@rm -rf erlang-support/_build
