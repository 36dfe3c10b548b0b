//! The modules of Elixir that are followed by default.

/// What the names of Elixir's modules begin with.
const PREFIX: &str = "Elixir.";

/// All of them but implementations of protocols, without the prefix.
pub const FOLLOWED_ELIXIR_MODULES: &[&str] = &[
    "Access",
    "ArgumentError",
    "ArithmeticError",
    "Atom",
    "BadArityError",
    "BadBooleanError",
    "BadFunctionError",
    "BadMapError",
    "BadStructError",
    "Base",
    "Bitwise",
    "Calendar",
    "Calendar.ISO",
    "CaseClauseError",
    "Collectable",
    "CondClauseError",
    "Date",
    "Date.Range",
    "Enum",
    "Enum.EmptyError",
    "Enum.OutOfBoundsError",
    "Enumerable",
    "ErlangError",
    "Exception",
    "Float",
    "Function",
    "FunctionClauseError",
    "Inspect",
    "Inspect.Algebra",
    "Inspect.Opts",
    "Integer",
    "Kernel",
    "Kernel.Utils",
    "KeyError",
    "Keyword",
    "List",
    "List.Chars",
    "Map",
    "MapSet",
    "MatchError",
    "NaiveDateTime",
    "Protocol.UndefinedError",
    "Range",
    "Regex",
    "RuntimeError",
    "Stream",
    "Stream.Reducers",
    "String",
    "String.Break",
    "String.Chars",
    "String.Unicode",
    "SystemLimitError",
    "Time",
    "TryClauseError",
    "Tuple",
    "URI",
    "URI.Error",
    "UndefinedFunctionError",
    "Version",
    "Version.Parser",
    "WithClauseError",
];

/// Those of them that are followed in a simpler form, a model in `erlang-support/models`, as in
/// [`Form::ErlangModel`](crate::Form::ErlangModel).
pub const MODELLED_ELIXIR_MODULES: &[&str] = &["String.Unicode"];

/// Protocols of Elixir. Their implementations for types without a module, and for those above, are
/// followed too.
pub const FOLLOWED_PROTOCOLS: &[&str] = &[
    "Collectable",
    "Enumerable",
    "Inspect",
    "List.Chars",
    "String.Chars",
];

/// The types that protocols know by themselves.
const BUILT_IN_TYPES: [&str; 12] = [
    "Any",
    "Atom",
    "BitString",
    "Float",
    "Function",
    "Integer",
    "List",
    "Map",
    "PID",
    "Port",
    "Reference",
    "Tuple",
];

/// Whether calls into a module of Elixir are followed.
pub(crate) fn is_followed_elixir(module: &str) -> bool {
    module
        .strip_prefix(PREFIX)
        .is_some_and(|name| is_listed(name) || is_implementation(name))
}

fn is_listed(name: &str) -> bool {
    FOLLOWED_ELIXIR_MODULES.contains(&name)
}

/// Whether this is the implementation of a protocol for a type that is followed.
fn is_implementation(name: &str) -> bool {
    FOLLOWED_PROTOCOLS.iter().any(|protocol| {
        let of = name.strip_prefix(protocol);
        let of = of.and_then(|rest| rest.strip_prefix('.'));
        of.is_some_and(|it| BUILT_IN_TYPES.contains(&it) || is_listed(it))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implementations_are_followed_with_their_types() {
        for name in [
            "Elixir.Enum",
            "Elixir.Enumerable.List",
            "Elixir.Inspect.MapSet",
        ] {
            assert!(is_followed_elixir(name), "{name}");
        }
        for name in [
            "Enum",
            "Elixir.Enumerable.File.Stream",
            "Elixir.File",
            "Elixir.EnumX",
        ] {
            assert!(!is_followed_elixir(name), "{name}");
        }
    }
}
