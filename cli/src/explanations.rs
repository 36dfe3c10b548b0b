//! Explains the codes of messages and gaps: each has a page of Markdown in `explanations/`, whose first
//! line is its summary.

/// The page of a code, from the file of its name.
macro_rules! page {
    ($code:literal) => {
        ($code, include_str!(concat!("explanations/", $code, ".md")))
    };
}

/// All codes in alphabetical order, with their pages.
const PAGES: &[(&str, &str)] = &[
    page!("ambiguous-entry"),
    page!("bad-accept"),
    page!("bad-allow"),
    page!("bad-arguments"),
    page!("bad-build"),
    page!("bad-condition"),
    page!("bad-define"),
    page!("bad-entry"),
    page!("bad-eunit-file"),
    page!("bad-events"),
    page!("bad-exunit-file"),
    page!("bad-length"),
    page!("bad-log"),
    page!("bad-node"),
    page!("bad-opaque"),
    page!("bad-report"),
    page!("beam-died"),
    page!("compile"),
    page!("core-program"),
    page!("core-syntax"),
    page!("crash"),
    page!("cut-run"),
    page!("deadlock"),
    page!("different-reports"),
    page!("divergence"),
    page!("duplicate-module"),
    page!("encoding"),
    page!("internal"),
    page!("io"),
    page!("long-run"),
    page!("missing-shard"),
    page!("never-starts"),
    page!("no-calls"),
    page!("no-entry"),
    page!("no-erlang"),
    page!("no-eunit-tests"),
    page!("no-first-call"),
    page!("no-input"),
    page!("no-machine"),
    page!("no-node"),
    page!("no-sources"),
    page!("no-time"),
    page!("node-not-started"),
    page!("node-refused"),
    page!("not-compiled"),
    page!("not-in-spec"),
    page!("not-understood"),
    page!("opaque-call"),
    page!("other-schedule"),
    page!("other-version"),
    page!("schedule-bound"),
    page!("stale-build"),
    page!("state-exists"),
    page!("state-in-use"),
    page!("state-mismatch"),
    page!("stopped"),
    page!("unchecked-crash"),
    page!("unconfirmed"),
    page!("uncontrolled"),
    page!("unit-tests"),
    page!("unknown-code"),
    page!("unknown-source"),
    page!("unknown-type"),
    page!("unsolved"),
];

/// The page of a code.
pub(crate) fn page(code: &str) -> Option<&'static str> {
    let mut pages = PAGES.iter();
    pages.find_map(|(known, page)| (*known == code).then_some(*page))
}

/// Every code with the first line of its page.
pub(crate) fn summaries() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGES
        .iter()
        .map(|(code, page)| (*code, page.lines().next().unwrap_or_default()))
}

#[cfg(test)]
mod tests;
