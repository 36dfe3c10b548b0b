//! What functions that are known look at of their arguments, given what is looked at of their
//! results. A function that is not named here looks at everything.

use super::view::View;

/// The views of the arguments of a call that computes, given that of its result; `None` if it looks
/// at everything.
pub(super) fn views_of_arguments(
    (module, name, arity): (&str, &str, usize),
    never_raises: bool,
    result: &View,
) -> Option<Vec<View>> {
    if never_raises && result.is_nothing() {
        return Some(vec![View::nothing(); arity]);
    }
    let is_number = result.is_at_most_integer();
    let is_list = result.is_at_most_spine();
    match (module, name, arity) {
        // An operation on two integers never raises, and its result is an integer.
        ("erlang", "+" | "-" | "*", 2) if is_number => Some(vec![View::integer(); 2]),
        ("erlang", "+" | "-" | "abs", 1) if is_number => Some(vec![View::integer()]),
        // Nor does one whose right side is known, unless that is 0.
        ("erlang", "div" | "rem", 2) if is_number => Some(vec![View::integer(), View::Full]),
        ("erlang", "length", 1) if is_number => Some(vec![View::spine()]),
        ("erlang", "++", 2) | ("lists", "reverse", 2) if is_list => {
            Some(vec![View::spine(), result.clone()])
        }
        _ => None,
    }
}

/// The same for functions of libraries that are followed. The clauses of such functions count for
/// nothing, only what they do.
pub(super) fn views_of_library_call(
    (module, name, arity): (&str, &str, usize),
    result: &View,
) -> Option<Vec<View>> {
    match (module, name, arity) {
        ("lists", "reverse", 1) if result.is_at_most_spine() => Some(vec![View::spine()]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn views(name: &str, arity: usize, result: &View) -> Option<Vec<View>> {
        views_of_arguments(("erlang", name, arity), false, result)
    }

    #[test]
    fn a_sum_that_nobody_compares_is_one_of_integers() {
        let sum = Some(vec![View::integer(); 2]);
        assert_eq!(views("+", 2, &View::nothing()), sum);
        assert_eq!(views("+", 2, &View::integer()), sum);
        assert_eq!(views("+", 2, &View::outer()), None);
        assert_eq!(views("+", 2, &View::Full), None);
    }

    #[test]
    fn what_may_raise_is_looked_at_although_nobody_wants_its_result() {
        assert_eq!(views("hd", 1, &View::nothing()), None);
        let quotient = views("div", 2, &View::nothing());
        assert_eq!(quotient, Some(vec![View::integer(), View::Full]));
    }

    #[test]
    fn a_list_that_is_reversed_must_be_one() {
        let reverse = |result: &View| views_of_library_call(("lists", "reverse", 1), result);
        assert_eq!(reverse(&View::nothing()), Some(vec![View::spine()]));
        assert_eq!(reverse(&View::Full), None);
    }
}
