//! Small values of types.

use std::cmp::Ordering;

use erlang_term::{Integer, TableFun, Term};

use super::alternative::{Alternative, TypeId};

/// A fun with more parameters cannot be made.
pub(crate) const MOST_PARAMETERS: u32 = 20;

/// The last character.
pub const LAST_CHARACTER: i64 = char::MAX as i64;

/// A readable character, so that texts look like texts.
pub(crate) const READABLE: i64 = 'a' as i64;

/// A value and its size.
type Made = Option<(u64, Term)>;

/// The simplest value of each alternative of each type of a grammar. It is the least fixed point:
/// a type has a value as soon as the parts of one of its alternatives have one.
pub(super) fn all(definitions: &[Vec<Alternative>]) -> Vec<Vec<Made>> {
    let mut best: Vec<Made> = vec![None; definitions.len()];
    loop {
        let mut has_changed = false;
        for (slot, alternatives) in definitions.iter().enumerate() {
            let made = alternatives.iter().filter_map(|it| smallest(it, &best));
            let Some((size, term)) = made.min_by_key(|(size, _)| *size) else {
                continue;
            };
            if let Some(known) = best.get_mut(slot)
                && known.as_ref().is_none_or(|known| size < known.0)
            {
                *known = Some((size, term));
                has_changed = true;
            }
        }
        if !has_changed {
            break;
        }
    }
    let forms = |alternatives: &Vec<Alternative>| {
        let forms = alternatives.iter();
        forms.map(|it| smallest(it, &best)).collect()
    };
    definitions.iter().map(forms).collect()
}

/// The smallest value of a form, with its size. Sizes rank forms: integers before atoms, both
/// before the empty list and so on.
fn smallest(alternative: &Alternative, best: &[Made]) -> Made {
    let of = |id: &TypeId| best.get(id.0 as usize).cloned().flatten();
    match alternative {
        Alternative::Any => Some((10, Term::Integer(0.into()))),
        Alternative::Integer(min, max) if is_character(min.as_ref(), max.as_ref()) => {
            Some((10, Term::Integer(READABLE.into())))
        }
        Alternative::Integer(min, max) => {
            let value = nearest_to_zero(min.as_ref(), max.as_ref())?;
            Some((10, Term::Integer(value)))
        }
        Alternative::Atom(atom) => Some((11, Term::Atom(atom.clone()))),
        Alternative::AnyAtom => Some((12, Term::atom("a"))),
        Alternative::Nil => Some((13, Term::list([]))),
        Alternative::Float => Some((14, Term::Float(0.0))),
        Alternative::Bits(base, _) => {
            let bytes = usize::try_from(base.div_ceil(8)).ok()?;
            let last = u8::try_from((base + 7) % 8 + 1).ok()?;
            Some((15 + base, Term::Bits(vec![0; bytes], last)))
        }
        Alternative::Text => Some((15, Term::binary([]))),
        Alternative::AnyTuple => Some((16, Term::Tuple(Vec::new()))),
        Alternative::AnyMap => Some((17, Term::Map(Vec::new()))),
        Alternative::Cons(head, tail) => {
            let ((head_size, head), (tail_size, tail)) = (of(head)?, of(tail)?);
            let size = head_size.saturating_add(tail_size).saturating_add(16);
            Some((size, Term::list_before(vec![head], tail)))
        }
        Alternative::Tuple(types) => {
            let elements: Vec<(u64, Term)> = types.iter().map(of).collect::<Option<_>>()?;
            let size = elements.iter().map(|it| it.0).fold(16, u64::saturating_add);
            Some((
                size,
                Term::Tuple(elements.into_iter().map(|it| it.1).collect()),
            ))
        }
        Alternative::Map(fields) => {
            let mut size = 17_u64;
            let mut pairs: Vec<(Term, Term)> = Vec::new();
            for field in fields.iter().filter(|field| field.is_required) {
                let ((key_size, key), (value_size, value)) = (of(&field.key)?, of(&field.value)?);
                size = size.saturating_add(key_size).saturating_add(value_size);
                if pairs.iter().all(|(known, _)| *known != key) {
                    pairs.push((key, value));
                }
            }
            Some((size, Term::Map(pairs)))
        }
        Alternative::AnyFun => Some((18, fun(None, Term::Integer(0.into()))?)),
        Alternative::Fun(parameters, result) => {
            let (size, result) = of(result)?;
            let arity = Alternative::arity(parameters.as_ref());
            Some((size.saturating_add(18), fun(arity, result)?))
        }
        Alternative::Pid | Alternative::Port | Alternative::Reference => None,
    }
}

/// A fun that always returns the same value.
fn fun(arity: Option<u32>, result: Term) -> Option<Term> {
    let arity = arity.unwrap_or(1);
    let arity = u8::try_from(arity).ok();
    let arity = arity.filter(|it| u32::from(*it) <= MOST_PARAMETERS)?;
    let fun = TableFun::new(arity, Vec::new(), result);
    Some(Term::TableFun(Box::new(fun)))
}

/// Whether a range is that of `char()`.
fn is_character(min: Option<&Integer>, max: Option<&Integer>) -> bool {
    let bounds = [0, LAST_CHARACTER].map(Integer::from);
    [min, max] == [bounds.first(), bounds.last()]
}

fn nearest_to_zero(min: Option<&Integer>, max: Option<&Integer>) -> Option<Integer> {
    let zero = Integer::from(0);
    match (min, max) {
        (Some(min), Some(max)) if min > max => None,
        (Some(min), _) if min.cmp(&zero) == Ordering::Greater => Some(min.clone()),
        (_, Some(max)) if max.cmp(&zero) == Ordering::Less => Some(max.clone()),
        _ => Some(zero),
    }
}
