//! Clauses that no argument of the specs can reach, each with the reason. They do not count among
//! those that a search could reach.
//!
//! Every clause here must be missed, but for those of other environments: one that a search reaches
//! is a mistake in this table.

/// Some clauses of a function for one reason.
#[derive(Debug)]
pub(crate) struct Unreachable {
    module: &'static str,
    /// `name/arity`.
    function: &'static str,
    /// As in reports; none if none of the function can be reached.
    clauses: &'static [&'static str],
    why: &'static str,
}

const WINDOWS: &str = "only on Windows";
const ELSEWHERE: &str = "only on other systems";
const ENVIRONMENT: &str = "only in another environment";
const FILES: &str = "calls of `file` are refused";
const TYPE: &str = "the spec does not admit such a value";
const NOT_EMPTY: &str = "callers have an answer of their own for an empty binary";
const ONLY_DIGITS: &str = "only digits come there";
const HAS_PATH: &str = "only maps with a path come there";

const fn all(module: &'static str, function: &'static str, why: &'static str) -> Unreachable {
    some(module, function, &[], why)
}

const fn some(
    module: &'static str,
    function: &'static str,
    clauses: &'static [&'static str],
    why: &'static str,
) -> Unreachable {
    Unreachable {
        module,
        function,
        clauses,
        why,
    }
}

const CLAUSES: &[Unreachable] = &[
    some("filename", "absname/1", &["1.1"], FILES),
    some("filename", "absname/2", &["2.3"], WINDOWS),
    all("filename", "absname_vr/3", WINDOWS),
    some("filename", "basename/1", &["2.1"], WINDOWS),
    all("filename", "win_basenameb/1", WINDOWS),
    some("filename", "basename1/3", &["1.3"], WINDOWS),
    some("filename", "skip_prefix/2", &["1.2", "1.3"], WINDOWS),
    some("filename", "basename/4", &["1.4"], WINDOWS),
    some(
        "filename",
        "dirname/1",
        &["3.1", "4.1", "5.1", "5.2", "6.1"],
        WINDOWS,
    ),
    some(
        "filename",
        "dirname/4",
        &["1.2", "1.3", "1.7", "3.1", "3.2"],
        WINDOWS,
    ),
    some("filename", "extension/1", &["3.1"], WINDOWS),
    some("filename", "extension/3", &["1.3", "1.6"], WINDOWS),
    some(
        "filename",
        "join1/4",
        &["1.1", "1.2", "1.3", "1.4", "1.8"],
        WINDOWS,
    ),
    some(
        "filename",
        "join1b/4",
        &["1.1", "1.2", "1.3", "1.4", "1.8", "1.9"],
        WINDOWS,
    ),
    some(
        "filename",
        "maybe_remove_dirsep/2",
        &["1.1", "1.3"],
        WINDOWS,
    ),
    some("filename", "pathtype/1", &["2.1"], WINDOWS),
    all("filename", "win32_pathtype/1", WINDOWS),
    some("filename", "rootname/4", &["1.2"], WINDOWS),
    some("filename", "rootname2/4", &["1.2"], WINDOWS),
    some("filename", "split/1", &["2.1", "3.1"], WINDOWS),
    all("filename", "fix_driveletter/1", WINDOWS),
    all("filename", "win32_splitb/1", WINDOWS),
    all("filename", "win32_split/1", WINDOWS),
    some("filename", "split/3", &["1.2"], WINDOWS),
    some("filename", "split/4", &["1.1"], WINDOWS),
    some("filename", "nativename/1", &["1.1"], WINDOWS),
    all("filename", "win32_nativename/1", WINDOWS),
    some("filename", "separators/0", &["1.1"], WINDOWS),
    all("filename", "basedir_windows/1", WINDOWS),
    all("filename", "basedir_windows_appdata/0", WINDOWS),
    some("filename", "basedir_os_type/0", &["1.1", "1.2"], ELSEWHERE),
    some("filename", "getenv/2", &["1.1", "1.3"], ENVIRONMENT),
    some(
        "filename",
        "basedir_join_home/1",
        &["1.1", "2.1"],
        ENVIRONMENT,
    ),
    some("filename", "validate_char/3", &["1.2"], ENVIRONMENT),
    some("filename", "validate_char/3", &["1.3"], TYPE),
    some("filename", "validate_char/3", &["1.4", "1.5"], WINDOWS),
    // Without summer time, one of the two universal times is always the right one.
    some(
        "calendar",
        "local_time_to_universal_time_dst/1",
        &["1.1", "1.2", "1.4"],
        ENVIRONMENT,
    ),
    some("uri_string", "all_fields_valid/1", &["1.8"], TYPE),
    some("uri_string", "byte_size_exl_head/1", &["1.1"], NOT_EMPTY),
    some("uri_string", "get_port/1", &["2.1"], ONLY_DIGITS),
    some("uri_string", "hex_to_upper/1", &["1.3"], ONLY_DIGITS),
    // What is put together is never `empty` behind the path.
    some("uri_string", "update_path/2", &["1.4", "1.5"], HAS_PATH),
    some("uri_string", "update_query/2", &["1.1", "1.3"], HAS_PATH),
    some("uri_string", "update_fragment/2", &["1.1", "1.3"], HAS_PATH),
];

impl Unreachable {
    fn has(&self, function: &str, clause: &str) -> bool {
        self.function == function && (self.clauses.is_empty() || self.clauses.contains(&clause))
    }

    /// As in the list of the page.
    pub(crate) fn row(&self) -> String {
        let Self {
            function,
            clauses,
            why,
            ..
        } = self;
        match clauses {
            [] => format!("- `{function}`, all: {why}"),
            _ => format!("- `{function}`: {}: {why}", clauses.join(", ")),
        }
    }
}

/// What is known of a module.
pub(crate) fn of_module(module: &str) -> impl Iterator<Item = &'static Unreachable> {
    CLAUSES.iter().filter(move |it| it.module == module)
}

/// Whether a clause of a module cannot be reached.
pub(crate) fn is_unreachable(module: &str, function: &str, clause: &str) -> bool {
    of_module(module).any(|it| it.has(function, clause))
}

/// Entries of the table that are wrong, because a search reached what they name.
pub(crate) fn mistakes(module: &str, missed: &[(String, String)]) -> Vec<String> {
    let is_missed = |function: &str, clause: Option<&&str>| {
        let mut missed = missed.iter();
        missed.any(|it| it.0 == function && clause.is_none_or(|clause| it.1 == *clause))
    };
    let is_right = |it: &&Unreachable| match it.clauses {
        [] => is_missed(it.function, None),
        clauses => clauses
            .iter()
            .all(|clause| is_missed(it.function, Some(clause))),
    };
    let fixed = of_module(module).filter(|it| it.why != ENVIRONMENT);
    let wrong = fixed.filter(|it| !is_right(it));
    wrong
        .map(|it| format!("{module}: was reached all the same {}", it.row()))
        .collect()
}
