//! What functions that are known look at of their arguments, given what is looked at of their
//! results. A function that is not named here looks at everything.

use erlang_term::{Integer, Term};
use flattener::flat::{Guard, GuardOperator, Segment, SegmentKind, Value, VarId};

use super::view::View;
use super::view_rule::ViewRule;

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
    let integer = ViewRule::Sums.view(View::integer());
    match (module, name, arity) {
        // An operation on two integers never raises, and its result is an integer.
        ("erlang", "+" | "-" | "*", 2) if is_number => Some(vec![integer; 2]),
        ("erlang", "+" | "-" | "abs", 1) if is_number => Some(vec![integer]),
        // Nor does one whose right side is known, unless that is 0.
        ("erlang", "div" | "rem", 2) if is_number => {
            Some(vec![integer, ViewRule::Divisors.view(View::Full)])
        }
        ("erlang", "length", 1) if is_number => Some(vec![ViewRule::Lengths.view(View::spine())]),
        ("erlang", "++", 2) | ("lists", "reverse", 2) if is_list => {
            let first = ViewRule::Appended.view(View::spine());
            Some(vec![first, result.clone()])
        }
        ("erlang", "is_map_key", 2) | ("maps", "is_key", 2) => {
            Some(vec![View::Full, View::map(View::nothing())])
        }
        ("erlang", "map_size", 1) => Some(vec![View::map(View::nothing())]),
        ("erlang", "map_get", 2) | ("maps", "get", 2) => {
            let value = ViewRule::MapValues.view(result.clone());
            Some(vec![View::Full, View::map(value)])
        }
        ("maps", "put", 3) => {
            let MapViews { map, key, value } = MapViews::of_result(result, false);
            Some(vec![key, value, map])
        }
        ("maps", "update", 3) => {
            let MapViews { map, value, .. } = MapViews::of_result(result, true);
            Some(vec![View::Full, value, map])
        }
        ("maps", "remove", 2) => {
            let MapViews { map, key, .. } = MapViews::of_result(result, false);
            Some(vec![key, map])
        }
        _ => None,
    }
}

/// The views of the arguments of `setelement` with a constant index. It fails unless there is a tuple
/// with such an element, and who looks at that element of the result looks at the new one.
pub(super) fn views_of_replacing(
    name: (&str, &str, usize),
    arguments: &[Value],
    result: &View,
) -> Option<Vec<View>> {
    let ("erlang", "setelement", [index, _, _]) = (name.0, name.1, arguments) else {
        return None;
    };
    let Term::Integer(Integer::Small(index)) = index.as_literal()? else {
        return None;
    };
    let index = usize::try_from(*index).ok()?.checked_sub(1)?;
    let (tuple, value) = result.with_replaced(index)?;
    let tuple = ViewRule::ReplacedElements.view(tuple);
    Some(vec![
        View::nothing(),
        tuple,
        ViewRule::ReplacedElements.view(value),
    ])
}

/// What an operation that makes a map looks at, given what is looked at of its result.
#[derive(Debug)]
pub(super) struct MapViews {
    /// Of the map that is changed.
    pub(super) map: View,
    /// Of keys.
    pub(super) key: View,
    /// Of values.
    pub(super) value: View,
}

impl MapViews {
    /// It raises if some key is missing, or it does not.
    pub(super) fn of_result(result: &View, has_exact_keys: bool) -> Self {
        let full = || Self {
            map: View::Full,
            key: View::Full,
            value: ViewRule::MapValues.view(View::Full),
        };
        let Some(value) = result.values_of_map() else {
            return full();
        };
        let value = ViewRule::MapValues.view(value.clone());
        if result.is_at_most_kind() {
            return Self {
                map: if has_exact_keys {
                    View::map(value.clone())
                } else {
                    View::kind()
                },
                key: View::nothing(),
                value,
            };
        }
        Self {
            map: View::map(value.clone()),
            key: View::Full,
            value,
        }
    }
}

/// The variable in a guard that only tests its type, and what it looks at.
pub(super) fn view_of_type_test(guard: &Guard) -> Option<(VarId, View)> {
    let Guard::Call(call) = guard else {
        return None;
    };
    let (GuardOperator::Call(module, name), [Guard::Value(Value::Variable(variable))]) =
        (&call.operator, call.arguments.as_slice())
    else {
        return None;
    };
    let view = match (module.as_str(), name.as_str()) {
        ("erlang", "is_map" | "is_binary") => View::kind(),
        ("erlang", "is_integer") => View::integer(),
        _ => return None,
    };
    Some((*variable, view))
}

/// The view of the value of a segment of a bit string that is built. If nobody looks at the bit
/// string, it counts only that it can be built.
pub(super) fn view_of_segment(segment: &Segment, is_unseen: bool) -> View {
    let size = segment.size.as_literal();
    match segment.kind.kind {
        SegmentKind::Binary
            if is_unseen
                && segment.kind.unit == Some(8)
                && size.and_then(|it| it.as_atom()) == Some("all") =>
        {
            ViewRule::SegmentKinds.view(View::kind())
        }
        SegmentKind::Integer if is_unseen && size.is_some() => {
            ViewRule::SegmentKinds.view(View::integer())
        }
        SegmentKind::Integer
        | SegmentKind::Binary
        | SegmentKind::Float
        | SegmentKind::Utf8
        | SegmentKind::Utf16
        | SegmentKind::Utf32 => View::Full,
    }
}

/// The views of the arguments of functions of libraries that are followed. The clauses of such functions count for
/// nothing, only what they do.
pub(super) fn views_of_library_call(
    (module, name, arity): (&str, &str, usize),
    result: &View,
) -> Option<Vec<View>> {
    match (module, name, arity) {
        ("lists", "reverse", 1) if result.is_at_most_spine() => {
            Some(vec![ViewRule::Reversed.view(View::spine())])
        }
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
    fn an_element_that_is_replaced_does_not_count() {
        let one = Value::Literal(Term::Integer(1.into()).into());
        let arguments = [one.clone(), one.clone(), one];
        let of = |result| views_of_replacing(("erlang", "setelement", 3), &arguments, &result);
        let pair = View::tuple(vec![View::integer(), View::Full]);
        let left = View::tuple(vec![View::nothing(), View::Full]);
        assert_eq!(of(pair), Some(vec![View::nothing(), left, View::integer()]));
        let nothing = of(View::nothing());
        assert_eq!(
            nothing,
            Some(vec![View::nothing(), View::outer(), View::nothing()])
        );
        assert_eq!(of(View::Full), None);
    }

    #[test]
    fn a_list_that_is_reversed_must_be_one() {
        let reverse = |result: &View| views_of_library_call(("lists", "reverse", 1), result);
        assert_eq!(reverse(&View::nothing()), Some(vec![View::spine()]));
        assert_eq!(reverse(&View::Full), None);
    }
}
