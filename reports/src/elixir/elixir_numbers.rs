//! Numbers as Elixir source.

use erlang_term::read_integer;

/// A number, given as Erlang source: `1 bsl 1023 - 1` is `2 ** 1023 - 1`.
pub(super) fn number(source: &str) -> String {
    let Some((before, after)) = source.split_once(" bsl ") else {
        return source.to_owned();
    };
    let (sign, factor) = match before.strip_prefix("-(") {
        Some(factor) => ("-(", factor),
        None => ("", before),
    };
    let factor = match factor {
        "1" => String::new(),
        other => format!("{other} * "),
    };
    format!("{sign}{factor}2 ** {after}")
}

/// A number as a pattern, which has no operators.
pub(super) fn number_pattern(source: &str) -> String {
    match read_integer(source).filter(|_| source.contains(" bsl ")) {
        Some(integer) => integer.to_string(),
        None => source.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_stay_short() {
        let cases = [
            ("17", "17"),
            ("-2.5e-3", "-2.5e-3"),
            ("1 bsl 1023", "2 ** 1023"),
            ("1 bsl 1023 - 1", "2 ** 1023 - 1"),
            ("-(3 bsl 200) + 12", "-(3 * 2 ** 200) + 12"),
        ];
        for (source, expected) in cases {
            assert_eq!(number(source), expected);
        }
        assert_eq!(
            number_pattern("1 bsl 101 - 1"),
            "2535301200456458802993406410751"
        );
    }
}
