//! Functions that never return.

/// Functions of `erlang` that always raise: name and arity.
pub const ALWAYS_RAISE: &[(&str, u32)] = &[
    ("error", 1),
    ("error", 2),
    ("error", 3),
    ("exit", 1),
    ("throw", 1),
    ("nif_error", 1),
    ("nif_error", 2),
];

/// Whether a function of `erlang` with this name raises, and so may stand where any number of
/// values is needed.
pub(crate) fn is_raising(name: &str) -> bool {
    // `raise` returns only if its class is wrong.
    name == "raise" || ALWAYS_RAISE.iter().any(|(known, _)| *known == name)
}
