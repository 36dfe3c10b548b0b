//! Parts of inputs that are put into other inputs.

use erlang_term::Term;
use flattener::ast::deep;
use solver::graph::Place;

use crate::pruning::PartPlace;

/// The part of an input at a place, if there is one.
pub(super) fn part_at(input: &[Term], place: &PartPlace) -> Option<Term> {
    part_of(input.get(place.argument)?, &place.steps)
}

/// An input with other values at these places.
pub(super) fn with_parts(
    input: &[Term],
    places: &[PartPlace],
    values: &[Term],
) -> Option<Vec<Term>> {
    let mut made = input.to_vec();
    for (place, value) in places.iter().zip(values) {
        let argument = made.get_mut(place.argument)?;
        *argument = replaced(argument, &place.steps, value)?;
    }
    Some(made)
}

/// How deep a value is: each cell of a list is one level.
pub(super) fn depth_of(term: &Term) -> usize {
    let deepest = |terms: &[Term]| {
        let depths = terms.iter().map(|it| deep(|| depth_of(it)));
        depths.max().unwrap_or(0)
    };
    match term {
        Term::List(elements, tail) => {
            let mut depth = tail.as_ref().map_or(0, |it| deep(|| depth_of(it)));
            for element in elements.iter().rev() {
                depth = 1 + depth.max(deep(|| depth_of(element)));
            }
            depth
        }
        Term::Tuple(elements) => 1 + deepest(elements),
        Term::Map(pairs) => {
            let inner = pairs.iter().flat_map(|it| [&it.0, &it.1]);
            1 + inner.map(|it| deep(|| depth_of(it))).max().unwrap_or(0)
        }
        Term::TableFun(fun) => {
            let inner = fun.results().map(|it| deep(|| depth_of(it)));
            1 + inner.max().unwrap_or(0)
        }
        Term::Integer(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Bits(..)
        | Term::ExternalFun(_) => 0,
    }
}

/// How many tails come first, and the steps after them.
fn after_tails(steps: &[Place]) -> (usize, &[Place]) {
    let tails = steps.iter().take_while(|it| **it == Place::Tail).count();
    (tails, steps.get(tails..).unwrap_or_default())
}

fn part_of(term: &Term, steps: &[Place]) -> Option<Term> {
    let (tails, rest) = after_tails(steps);
    match (term, rest.split_first()) {
        (_, None) if tails == 0 => Some(term.clone()),
        (Term::List(elements, _), Some((Place::Head, rest))) => {
            deep(|| part_of(elements.get(tails)?, rest))
        }
        (Term::List(elements, tail), None) => {
            let after = elements.get(tails..)?.to_vec();
            let end = tail
                .as_ref()
                .map_or_else(|| Term::list([]), |it| (**it).clone());
            Some(Term::list_before(after, end))
        }
        (Term::Tuple(elements), Some((Place::Element(index), rest))) if tails == 0 => {
            deep(|| part_of(elements.get(*index as usize)?, rest))
        }
        (Term::List(elements, Some(tail)), Some(_)) if tails > 0 && tails == elements.len() => {
            deep(|| part_of(tail, rest))
        }
        _ => None,
    }
}

fn replaced(term: &Term, steps: &[Place], value: &Term) -> Option<Term> {
    let (tails, rest) = after_tails(steps);
    match (term, rest.split_first()) {
        (_, None) if tails == 0 => Some(value.clone()),
        (Term::List(elements, tail), Some((Place::Head, rest))) => {
            let mut elements = elements.clone();
            let element = elements.get_mut(tails)?;
            *element = deep(|| replaced(element, rest, value))?;
            Some(Term::List(elements, tail.clone()))
        }
        (Term::List(elements, _), None) => {
            let before = elements.get(..tails)?.to_vec();
            Some(Term::list_before(before, value.clone()))
        }
        (Term::Tuple(elements), Some((Place::Element(index), rest))) if tails == 0 => {
            let mut elements = elements.clone();
            let element = elements.get_mut(*index as usize)?;
            *element = deep(|| replaced(element, rest, value))?;
            Some(Term::Tuple(elements))
        }
        (Term::List(elements, Some(tail)), Some(_)) if tails > 0 && tails == elements.len() => {
            let tail = deep(|| replaced(tail, rest, value))?;
            Some(Term::list_before(elements.clone(), tail))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: i64) -> Term {
        Term::Integer(number.into())
    }

    fn place(steps: &[Place]) -> PartPlace {
        PartPlace {
            argument: 0,
            steps: steps.into(),
        }
    }

    fn input() -> Vec<Term> {
        let pair = Term::Tuple(vec![number(2), Term::list([number(3)])]);
        vec![Term::list([number(1), pair, number(4)])]
    }

    #[test]
    fn a_part_that_is_put_back_changes_nothing() {
        let (head, tail, second) = (Place::Head, Place::Tail, Place::Element(1));
        for steps in [
            &[][..],
            &[head],
            &[tail],
            &[tail, head],
            &[tail, head, second],
            &[tail, head, second, tail],
            &[tail, tail, tail],
        ] {
            let place = place(steps);
            let part = part_at(&input(), &place).expect("it is there");
            let same = with_parts(&input(), &[place], &[part]);
            assert_eq!(same, Some(input()), "{steps:?}");
        }
        assert_eq!(part_at(&input(), &place(&[head, head])), None);
        assert_eq!(part_at(&input(), &place(&[tail; 4])), None);
    }

    #[test]
    fn other_values_stand_where_parts_were() {
        let places = [place(&[Place::Head]), place(&[Place::Tail, Place::Tail])];
        let made = with_parts(&input(), &places, &[number(7), Term::list([])]);
        let pair = Term::Tuple(vec![number(2), Term::list([number(3)])]);
        assert_eq!(made, Some(vec![Term::list([number(7), pair])]));
    }

    #[test]
    fn each_cell_is_a_level() {
        assert_eq!(depth_of(&number(1)), 0);
        assert_eq!(depth_of(&Term::list([])), 0);
        assert_eq!(depth_of(&Term::list([number(1), number(2)])), 2);
        assert_eq!(depth_of(&input()[0]), 4);
    }
}
