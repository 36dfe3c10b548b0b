//! Random arguments for built-ins.

use std::collections::BTreeMap;

use end_to_end::random_bits;
use end_to_end::random_erlang::value;
use end_to_end::random_programs::Random;
use erlang_term::{Integer, Term};
use num_bigint::BigInt;

/// What arguments are made of, mostly: `n` numbers, `m` numbers of all sizes, `i` small integers,
/// `w` integers of all sizes, `s` distances to shift by, `b` booleans, `l` lists,
/// `t` tuples, `k` lists of tuples, `d` texts of integers, `f` texts of floats, `o` bases of
/// numerals, `c` texts, `a` atoms, `M` maps, `p` lists of pairs, `y` keys, `z` zero, `W` what a
/// map is made into, `B` binaries, `S` bit strings, `N` texts of integers in binaries, `F` texts
/// of floats in binaries, `D` data for ports, `C` encodings, `q` zeros, numbers and anything, `v`
/// anything.
const ARGUMENTS: &[(&str, &str)] = &[
    ("find", "yM"),
    ("from_keys", "lv"),
    ("from_list", "p"),
    ("get", "yM"),
    ("is_key", "yM"),
    ("is_map_key", "yM"),
    ("keys", "M"),
    ("map_get", "yM"),
    ("map_next", "zMW"),
    ("map_size", "M"),
    ("mc_iterator", "M"),
    ("merge", "MM"),
    ("put", "yvM"),
    ("remove", "yM"),
    ("take", "yM"),
    ("update", "yvM"),
    ("values", "M"),
    ("at", "Bi"),
    ("bin_to_list", "B"),
    ("copy", "B"),
    ("first", "B"),
    ("last", "B"),
    ("list_to_bin", "D"),
    ("part", "Bii"),
    ("atom_to_binary", "aC"),
    ("binary_part", "Bii"),
    ("binary_to_atom", "BC"),
    ("binary_to_existing_atom", "BC"),
    ("binary_to_float", "F"),
    ("binary_to_integer", "No"),
    ("binary_to_list", "Bii"),
    ("bit_size", "S"),
    ("bitstring_to_list", "S"),
    ("byte_size", "S"),
    ("integer_to_binary", "io"),
    ("iolist_size", "D"),
    ("iolist_to_binary", "D"),
    ("list_to_binary", "D"),
    ("list_to_bitstring", "D"),
    ("split_binary", "Si"),
    ("is_binary", "S"),
    ("=:=", "qq"),
    ("=/=", "qq"),
    ("==", "qq"),
    ("/=", "qq"),
    ("<", "qq"),
    ("=<", "qq"),
    (">", "qq"),
    (">=", "qq"),
    ("band", "ww"),
    ("bnot", "w"),
    ("bor", "ww"),
    ("bsl", "ws"),
    ("bsr", "ws"),
    ("bxor", "ww"),
    ("+", "mm"),
    ("-", "nn"),
    ("*", "mm"),
    ("div", "ii"),
    ("rem", "ii"),
    ("abs", "n"),
    ("and", "bb"),
    ("or", "bb"),
    ("xor", "bb"),
    ("not", "b"),
    ("element", "it"),
    ("hd", "l"),
    ("tl", "l"),
    ("length", "l"),
    ("tuple_size", "t"),
    ("is_integer", "vii"),
    ("is_record", "tvi"),
    ("max", "qq"),
    ("min", "qq"),
    ("++", "ll"),
    ("--", "ll"),
    ("append_element", "tv"),
    ("delete_element", "it"),
    ("insert_element", "itv"),
    ("integer_to_list", "io"),
    ("list_to_integer", "do"),
    ("list_to_float", "f"),
    ("list_to_atom", "c"),
    ("list_to_existing_atom", "c"),
    ("atom_to_list", "a"),
    ("trunc", "m"),
    ("units", "m"),
    ("round", "m"),
    ("floor", "m"),
    ("ceil", "m"),
    ("float", "m"),
    ("/", "mm"),
    ("size", "t"),
    ("list_to_tuple", "l"),
    ("make_tuple", "iv"),
    ("setelement", "itv"),
    ("tuple_to_list", "t"),
    ("keyfind", "qik"),
    ("keymember", "qik"),
    ("keysearch", "vik"),
    ("member", "ql"),
    ("reverse", "lv"),
];

fn integer(value: i64) -> Term {
    Term::Integer(Integer::from(value))
}

/// A value that is likely to fit, or sometimes any.
fn argument(random: &mut Random, of: char) -> Term {
    if of == 'z' {
        return integer(0);
    }
    if random.chance(15) {
        return value(random, 2);
    }
    match of {
        'n' | 'i' | 'm' | 'w' | 's' | 'o' => number(random, of),
        'q' if random.chance(30) => zero(random),
        'q' if random.chance(60) => number(random, 'm'),
        'd' | 'f' | 'c' | 'a' => characters(random, of),
        'M' | 'p' | 'y' | 'W' => for_maps(random, of),
        'B' | 'S' | 'N' | 'F' | 'D' | 'C' => for_bits(random, of),
        'b' => Term::atom(if random.chance(50) { "true" } else { "false" }),
        'l' => {
            let elements = (0..random.below(5)).map(|_| {
                if random.chance(10) {
                    zero(random)
                } else {
                    value(random, 1)
                }
            });
            Term::list(elements.collect::<Vec<_>>())
        }
        't' => Term::Tuple((0..random.below(5)).map(|_| value(random, 1)).collect()),
        'k' => {
            let tuples = (0..random.below(5)).map(|_| argument(random, 't'));
            Term::list(tuples.collect::<Vec<_>>())
        }
        _ => value(random, 2),
    }
}

/// One of the zeros, perhaps inside of something.
fn zero(random: &mut Random) -> Term {
    let zeros = [Term::Float(0.0), Term::Float(-0.0), integer(0)];
    let zero = zeros.into_iter().nth(random.below(3));
    let zero = zero.expect("there are three");
    match random.below(4) {
        0 => Term::Tuple(vec![zero]),
        1 => Term::list([zero]),
        _ => zero,
    }
}

fn small(random: &mut Random) -> i64 {
    i64::try_from(random.below(8)).expect("small") - 2
}

fn number(random: &mut Random, of: char) -> Term {
    match of {
        'n' if random.chance(30) => Term::Float(small(random) as f64 / 2.0),
        'n' | 'i' if random.chance(10) => {
            integer((small(random) * 1_234_567_890_123).saturating_mul(7))
        }
        'n' | 'i' => integer(small(random)),
        'm' if random.chance(40) => Term::Float(any_float(random)),
        's' if random.chance(95) => integer(i64::try_from(random.below(300)).expect("small") - 150),
        'o' => integer(random.below(40) as i64),
        _ => wide(random),
    }
}

fn for_maps(random: &mut Random, of: char) -> Term {
    match of {
        'M' => {
            let pairs = (0..random.below(5)).map(|_| (argument(random, 'y'), value(random, 1)));
            // Where zeros are equal, a map has only one of them.
            let name = |key: &Term| key.to_string().replace("-0.0", "0.0");
            let pairs: BTreeMap<String, (Term, Term)> =
                pairs.map(|pair| (name(&pair.0), pair)).collect();
            Term::Map(pairs.into_values().collect())
        }
        'p' => {
            let pairs = (0..random.below(5)).map(|_| [argument(random, 'y'), value(random, 1)]);
            let pairs = pairs.map(|it| Term::Tuple(it.to_vec()));
            Term::list(pairs.collect::<Vec<_>>())
        }
        'y' if random.chance(10) => zero(random),
        'y' if random.chance(30) => Term::Float(small(random) as f64),
        'y' if random.chance(50) => integer(small(random)),
        'y' => argument(random, 'a'),
        _ if random.chance(50) => Term::atom("iterator"),
        _ => argument(random, 'l'),
    }
}

fn characters(random: &mut Random, of: char) -> Term {
    match of {
        'd' => {
            let sign = ["", "", "", "-", "+", "--", " "];
            let sign = sign.get(random.below(7)).copied().unwrap_or_default();
            text(&format!("{sign}{}", digits(random, b"0123456789019aFz")))
        }
        'f' => {
            let end = ["", "", "", "e", "e1", "e-2", "E+1", "e400", "."];
            let end = end.get(random.below(9)).copied().unwrap_or_default();
            let sign = if random.chance(30) { "-" } else { "" };
            let parts = [(); 2].map(|()| digits(random, b"0123456789"));
            text(&format!("{sign}{}.{}{end}", parts[0], parts[1]))
        }
        'c' => {
            let characters = ["", "a", "is_", "\u{e9}", "\u{1f600}", "\0", " x"];
            let chosen = (0..random.below(4)).map(|_| random.below(7));
            let chosen: Vec<&str> = chosen
                .filter_map(|it| characters.get(it).copied())
                .collect();
            if random.chance(20) {
                let odd = [-1, 0xD800, 0x11_0000, 0xFF].map(integer);
                return Term::list(odd.into_iter().nth(random.below(4)));
            }
            text(&chosen.concat())
        }
        _ => {
            let names = ["", "abc", "a b", "\u{e9}t\u{e9}", "true", "Z"];
            Term::atom(names.get(random.below(6)).copied().unwrap_or_default())
        }
    }
}

fn for_bits(random: &mut Random, of: char) -> Term {
    match of {
        'B' => Term::binary(bytes(random)),
        'S' => random_bits::bits(random),
        'N' | 'F' => {
            let list = argument(random, if of == 'N' { 'd' } else { 'f' });
            let elements = list.as_list().unwrap_or_default().iter();
            let bytes = elements.filter_map(|it| it.to_string().parse::<u8>().ok());
            Term::binary(bytes.collect::<Vec<u8>>())
        }
        'D' => data(random, 3),
        _ => {
            let names = ["latin1", "utf8", "unicode", "utf16"];
            Term::atom(names.get(random.below(4)).copied().unwrap_or_default())
        }
    }
}

/// An integer of up to 1,100 bits, often near a power of two.
fn wide(random: &mut Random) -> Term {
    let most = if random.chance(5) { 1100 } else { 200 };
    let mut value = BigInt::from(0);
    for _ in 0..random.below(3) {
        value += BigInt::from(1) << random.below(most);
    }
    value += BigInt::from(random.below(1000)) - 500;
    if random.chance(30) {
        value = value * 0x0123_4567_89ab_cdef_i64 + 1;
    }
    Term::Integer(if random.chance(40) { -value } else { value }.into())
}

/// A float of any size, often one near the middle between two integers.
fn any_float(random: &mut Random) -> f64 {
    let whole = random.below(20) as f64 - 10.0;
    let near = [
        0.0,
        0.5,
        0.25,
        0.499_999_999_999_999_94,
        -0.499_999_999_999_999_94,
    ];
    let float = whole + near.get(random.below(5)).copied().unwrap_or_default();
    let power = [0, 0, 0, 52, 53, 60, 300, 1023, -30, -1074];
    let power = power.get(random.below(10)).copied().unwrap_or_default();
    let scaled = float * 2.0_f64.powi(power);
    if scaled.is_finite() { scaled } else { float }
}

fn bytes(random: &mut Random) -> Vec<u8> {
    let likely = b"abz01-\xC3\xA9\xFF\x00";
    let bytes = (0..random.below(6)).map(|_| likely.get(random.below(10)).copied());
    bytes.flatten().collect()
}

/// What a port takes: bytes and binaries in lists, sometimes something else.
fn data(random: &mut Random, depth: usize) -> Term {
    if depth == 0 || random.chance(10) {
        return random_bits::bits(random);
    }
    let elements = (0..random.below(4)).map(|_| match random.below(8) {
        0..=3 => integer(random.below(260) as i64),
        4 => Term::binary(bytes(random)),
        5 => random_bits::bits(random),
        _ => data(random, depth - 1),
    });
    let elements: Vec<Term> = elements.collect();
    if random.chance(20) {
        return Term::list_before(elements, random_bits::bits(random));
    }
    Term::list(elements)
}

fn digits(random: &mut Random, from: &[u8]) -> String {
    let digits = (0..random.below(5)).map(|_| from.get(random.below(from.len())).copied());
    digits.flatten().map(char::from).collect()
}

fn text(of: &str) -> Term {
    let characters = of.chars().map(|it| integer(i64::from(u32::from(it))));
    Term::list(characters.collect::<Vec<_>>())
}

/// Arguments for a built-in.
pub(crate) fn arguments(random: &mut Random, name: &str, arity: u32) -> Vec<Term> {
    let known = ARGUMENTS.iter().find(|(known, _)| *known == name);
    let kinds = known.map_or("", |it| it.1).chars().chain("vvv".chars());
    let kinds: Vec<char> = kinds.take(arity as usize).collect();
    kinds.into_iter().map(|of| argument(random, of)).collect()
}
