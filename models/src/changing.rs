//! Functions whose results differ from run to run.

/// Module, and name unless all functions of the module are meant.
const CHANGING: &[(&str, Option<&str>)] = &[
    ("rand", None),
    ("random", None),
    ("crypto", None),
    ("os", None),
    ("ets", None),
    ("dets", None),
    ("persistent_term", None),
    ("calendar", Some("local_time")),
    ("calendar", Some("universal_time")),
    ("erlang", Some("now")),
    ("erlang", Some("date")),
    ("erlang", Some("time")),
    ("erlang", Some("localtime")),
    ("erlang", Some("universaltime")),
    ("erlang", Some("timestamp")),
    ("erlang", Some("monotonic_time")),
    ("erlang", Some("system_time")),
    ("erlang", Some("unique_integer")),
    ("erlang", Some("statistics")),
    ("erlang", Some("memory")),
    ("erlang", Some("processes")),
    ("erlang", Some("process_info")),
];

/// Whether a function depends on more than its arguments and differs from run to run.
pub fn is_changing(module: &str, name: &str) -> bool {
    let mut known = CHANGING.iter();
    known.any(|(known, one)| *known == module && one.is_none_or(|one| one == name))
}
