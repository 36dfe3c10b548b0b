//! Laws of the front end, on random programs and on damaged real ones.

#![expect(
    clippy::indexing_slicing,
    reason = "a test may panic, and clippy takes helpers for no tests"
)]

#[path = "laws/generator.rs"]
mod generator;

use std::ops::Range;

use flattener::flat::{self, TailForm, to_ast};
use flattener::passes::verify;
use flattener::{Detail, flatten, parse_module, print_module};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..400)
}

/// The flat form of a program, verified.
fn flat_form(text: &str) -> flat::Module {
    let module = parse_module(text).expect("the text is a module");
    let flat = flatten(module).expect("the module is a program");
    assert_eq!(verify::flat(&flat), Vec::<String>::new());
    assert_eq!(verify::numbered(&flat), Vec::<String>::new());
    flat
}

fn printed(flat: &flat::Module, tail_form: TailForm) -> String {
    print_module(&to_ast(flat, tail_form), Detail::Full)
}

/// Flattening flat text gives the same text, down to the names of variables. Where tail calls are
/// bare, `let <X> = Y in X` is just `Y`, so that flattening may find more of them in tail position.
fn check_flattening_again(text: &str) {
    let flat = flat_form(text);
    let once = printed(&flat, TailForm::Bound);
    assert_eq!(printed(&flat_form(&once), TailForm::Bound), once);
    flat_form(&printed(&flat, TailForm::Bare));
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn printed_text_parses_to_the_same_tree(bytes in bytes()) {
        let text = generator::program(&bytes);
        let module = parse_module(&text);
        let module = module.map_err(|error| TestCaseError::fail(format!("{error:?}\n{text}")))?;
        let printed = print_module(&module, Detail::Full);
        let readable = print_module(&module, Detail::Readable);
        prop_assert!(parse_module(&readable).is_ok(), "{}", readable);
        prop_assert_eq!(parse_module(&printed), Ok(module), "{}", printed);
    }

    #[test]
    fn flattening_again_changes_nothing(bytes in bytes()) {
        check_flattening_again(&generator::program(&bytes));
    }
}

const REAL: [&str; 3] = [
    include_str!("real/shop.core"),
    include_str!("real/mailbox.core"),
    include_str!("real/frames_annotated.core"),
];

#[test]
fn real_modules_obey_the_laws() {
    for text in REAL {
        let module = parse_module(text).expect("the text is a module");
        let printed_module = print_module(&module, Detail::Full);
        assert_eq!(parse_module(&printed_module), Ok(module));
        check_flattening_again(text);
    }
}

/// A way to damage a text.
#[derive(Clone, Debug)]
enum Damage {
    Delete(Index),
    Duplicate(Index),
    Swap(Index, Index),
    Move(Index, Index),
    Insert(Index, String),
    Truncate(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let piece = prop_oneof![
        "\\PC{1,3}",
        any::<char>().prop_map(String::from),
        proptest::sample::select(vec![
            "'",
            "\"",
            "$",
            "\\",
            "(",
            ")",
            "{",
            "}",
            "[",
            "]",
            "<",
            ">",
            "|",
            "-|",
            "#{",
            "}#",
            "~{",
            "}~",
            "->",
            "=",
            "/",
            ":",
            "%",
            "end",
            "fun",
            "let",
            "in",
            "case",
            "letrec",
            "when 'true'",
            "X",
            "_",
            "'a'",
            "'a'/1",
            "1",
            "99999999999999999999",
            "1.0e999",
            "\u{feff}",
            "\0",
            "\r",
            "𝔘",
        ])
        .prop_map(str::to_owned),
    ];
    prop_oneof![
        any::<Index>().prop_map(Damage::Delete),
        any::<Index>().prop_map(Damage::Duplicate),
        any::<(Index, Index)>().prop_map(|(from, to)| Damage::Swap(from, to)),
        any::<(Index, Index)>().prop_map(|(from, to)| Damage::Move(from, to)),
        (any::<Index>(), piece).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        any::<Index>().prop_map(Damage::Truncate),
    ]
}

/// The words, numbers and single marks of a text, with the white space between them.
fn pieces(text: &str) -> Vec<&str> {
    let is_word = |character: char| character.is_alphanumeric() || "_@".contains(character);
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if is_word(first) {
            rest.find(|character| !is_word(character))
                .unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn damaged(text: &str, damages: &[Damage]) -> String {
    let mut pieces = pieces(text);
    for damage in damages {
        let count = pieces.len();
        if count == 0 {
            break;
        }
        match damage {
            Damage::Delete(at) => drop(pieces.remove(at.index(count))),
            Damage::Duplicate(at) => pieces.insert(at.index(count), pieces[at.index(count)]),
            Damage::Swap(one, other) => pieces.swap(one.index(count), other.index(count)),
            Damage::Move(from, to) => {
                let piece = pieces.remove(from.index(count));
                pieces.insert(to.index(count), piece);
            }
            Damage::Insert(at, piece) => pieces.insert(at.index(count), piece),
            Damage::Truncate(at) => pieces.truncate(at.index(count)),
        }
    }
    pieces.concat()
}

fn is_place_in(text: &str, range: &Range<usize>) -> bool {
    text.get(range.clone()).is_some()
}

/// A module is parsed, flattened (which verifies) and printed, or its errors point into the text.
fn check_damaged(text: &str) -> Result<(), TestCaseError> {
    let module = match parse_module(text) {
        Ok(module) => module,
        Err(error) => {
            prop_assert!(is_place_in(text, &error.span.range()), "{error:?}\n{text}");
            return Ok(());
        }
    };
    match flatten(module) {
        Ok(flat) => {
            let printed = printed(&flat, TailForm::Bare);
            prop_assert!(parse_module(&printed).is_ok(), "{text}\n{printed}");
        }
        Err(errors) => {
            for error in errors {
                prop_assert!(is_place_in(text, &error.span.range()), "{error:?}\n{text}");
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn damaged_real_modules_are_no_danger(
        text in proptest::sample::select(REAL.to_vec()),
        damages in proptest::collection::vec(damage(), 1..4),
    ) {
        check_damaged(&damaged(text, &damages))?;
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn damaged_random_programs_are_no_danger(
        bytes in bytes(),
        damages in proptest::collection::vec(damage(), 1..4),
    ) {
        check_damaged(&damaged(&generator::program(&bytes), &damages))?;
    }

    #[test]
    fn no_text_at_all_is_a_danger(text in any::<String>()) {
        check_damaged(&text)?;
    }
}
