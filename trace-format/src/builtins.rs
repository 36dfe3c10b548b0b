//! Built-ins whose result depends on their arguments alone.
//!
//! What they return need not be in a log: the engine computes it again from the arguments. Whether
//! they raised must be, because the decoder of a log knows no values. Here stand those that the
//! engine understands (`trace-engine/src/builtins.rs`); what all others return is logged.

/// Functions of `erlang`: operators, type tests, and what works on terms alone.
const ERLANG: &[(&str, &[u32])] = &[
    ("+", &[1, 2]),
    ("-", &[1, 2]),
    ("*", &[2]),
    ("div", &[2]),
    ("rem", &[2]),
    ("/", &[2]),
    ("band", &[2]),
    ("bnot", &[1]),
    ("bor", &[2]),
    ("bsl", &[2]),
    ("bsr", &[2]),
    ("bxor", &[2]),
    ("ceil", &[1]),
    ("float", &[1]),
    ("floor", &[1]),
    ("round", &[1]),
    ("trunc", &[1]),
    ("and", &[2]),
    ("or", &[2]),
    ("xor", &[2]),
    ("not", &[1]),
    ("==", &[2]),
    ("/=", &[2]),
    ("=:=", &[2]),
    ("=/=", &[2]),
    ("<", &[2]),
    ("=<", &[2]),
    (">", &[2]),
    (">=", &[2]),
    ("abs", &[1]),
    ("atom_to_list", &[1]),
    ("bit_size", &[1]),
    ("byte_size", &[1]),
    ("element", &[2]),
    ("hd", &[1]),
    ("is_atom", &[1]),
    ("is_binary", &[1]),
    ("is_bitstring", &[1]),
    ("is_boolean", &[1]),
    ("is_float", &[1]),
    ("is_function", &[1]),
    ("is_integer", &[1]),
    ("is_list", &[1]),
    ("is_map", &[1]),
    ("is_map_key", &[2]),
    ("is_number", &[1]),
    ("is_pid", &[1]),
    ("is_port", &[1]),
    ("is_record", &[2, 3]),
    ("is_reference", &[1]),
    ("is_tuple", &[1]),
    ("length", &[1]),
    ("map_get", &[2]),
    ("map_size", &[1]),
    ("max", &[2]),
    ("min", &[2]),
    ("tl", &[1]),
    ("tuple_size", &[1]),
    // These walk through their arguments (`trace-engine/src/models.rs`).
    ("++", &[2]),
    ("--", &[2]),
    ("append_element", &[2]),
    ("atom_to_binary", &[1, 2]),
    ("binary_part", &[2, 3]),
    ("binary_to_atom", &[1, 2]),
    ("binary_to_existing_atom", &[1, 2]),
    ("binary_to_float", &[1]),
    ("binary_to_integer", &[1, 2]),
    ("binary_to_list", &[1, 3]),
    ("bitstring_to_list", &[1]),
    ("delete_element", &[2]),
    ("insert_element", &[3]),
    ("integer_to_binary", &[1, 2]),
    ("integer_to_list", &[1, 2]),
    ("iolist_size", &[1]),
    ("iolist_to_binary", &[1]),
    ("list_to_atom", &[1]),
    ("list_to_binary", &[1]),
    ("list_to_bitstring", &[1]),
    ("list_to_existing_atom", &[1]),
    ("list_to_float", &[1]),
    ("list_to_integer", &[1, 2]),
    ("list_to_tuple", &[1]),
    ("make_tuple", &[2]),
    ("setelement", &[3]),
    ("size", &[1]),
    ("split_binary", &[2]),
    ("tuple_to_list", &[1]),
];

/// Functions of `lists` that are not written in Erlang.
const LISTS: &[(&str, &[u32])] = &[
    ("keyfind", &[3]),
    ("keymember", &[3]),
    ("keysearch", &[3]),
    ("member", &[2]),
    ("reverse", &[2]),
];

/// The same of `maps`.
const MAPS: &[(&str, &[u32])] = &[
    ("find", &[2]),
    ("from_keys", &[2]),
    ("from_list", &[1]),
    ("get", &[2]),
    ("is_key", &[2]),
    ("keys", &[1]),
    ("merge", &[2]),
    ("put", &[3]),
    ("remove", &[2]),
    ("take", &[2]),
    ("update", &[3]),
    ("values", &[1]),
];

/// What other functions of `maps` are made of.
const ERTS_INTERNAL: &[(&str, &[u32])] = &[("map_next", &[3])];

/// The same of `string`.
const STRING: &[(&str, &[u32])] = &[("list_to_integer", &[1])];

/// The same of `binary`.
const BINARY: &[(&str, &[u32])] = &[
    ("at", &[2]),
    ("bin_to_list", &[1]),
    ("copy", &[1]),
    ("first", &[1]),
    ("last", &[1]),
    ("list_to_bin", &[1]),
    ("part", &[2, 3]),
];

/// Whether a function is a built-in whose result depends on its arguments alone.
pub fn is_pure_builtin(module: &str, name: &str, arity: u32) -> bool {
    let is_known = |(known, arities): &(&str, &[u32])| *known == name && arities.contains(&arity);
    match module {
        "erlang" => ERLANG.iter().any(is_known),
        "lists" => LISTS.iter().any(is_known),
        "maps" => MAPS.iter().any(is_known),
        "erts_internal" => ERTS_INTERNAL.iter().any(is_known),
        "string" => STRING.iter().any(is_known),
        "binary" => BINARY.iter().any(is_known),
        _ => false,
    }
}

/// All of them: module, name and arity.
pub fn pure_builtins() -> impl Iterator<Item = (&'static str, &'static str, u32)> {
    let modules = [
        ("erlang", ERLANG),
        ("lists", LISTS),
        ("maps", MAPS),
        ("erts_internal", ERTS_INTERNAL),
        ("string", STRING),
        ("binary", BINARY),
    ];
    modules.into_iter().flat_map(|(module, functions)| {
        let functions = functions.iter();
        functions.flat_map(move |(name, arities)| {
            let arities = arities.iter();
            arities.map(move |arity| (module, *name, *arity))
        })
    })
}

/// Pure built-ins of `erlang` that return whatever their arguments are.
const TOTAL: &[(&str, u32)] = &[
    ("==", 2),
    ("/=", 2),
    ("=:=", 2),
    ("=/=", 2),
    ("<", 2),
    ("=<", 2),
    (">", 2),
    (">=", 2),
    ("is_atom", 1),
    ("is_binary", 1),
    ("is_bitstring", 1),
    ("is_boolean", 1),
    ("is_float", 1),
    ("is_function", 1),
    ("is_integer", 1),
    ("is_list", 1),
    ("is_map", 1),
    ("is_number", 1),
    ("is_pid", 1),
    ("is_port", 1),
    ("is_reference", 1),
    ("is_tuple", 1),
    ("max", 2),
    ("min", 2),
];

/// Whether a pure built-in returns whatever its arguments are.
pub(crate) fn never_raises(module: &str, name: &str, arity: u32) -> bool {
    module == "erlang" && TOTAL.contains(&(name, arity))
}
