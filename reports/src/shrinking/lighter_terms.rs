//! Terms to try in place of a term, the boldest changes first.

use erlang_term::{Integer, TableFun, Term};
use num_bigint::BigInt;
use num_traits::Signed;

use super::parts::children;
use super::weight::{is_readable, is_text};

/// How many terms inside a term are tried in its place.
const MAX_INNER: usize = 12;

/// Changes to a term as a whole. Changes to the terms inside are not among them.
pub(super) fn lighter(term: &Term) -> Box<dyn Iterator<Item = Term> + '_> {
    match term {
        Term::Integer(value) => Box::new(toward_zero(value)),
        Term::Float(value) => Box::new(plainer_floats(*value).into_iter()),
        Term::Atom(atom) if is_readable(atom.as_str()) => Box::new(std::iter::empty()),
        Term::Atom(_) => Box::new(["a", "b", "c"].into_iter().map(Term::atom)),
        Term::Bits(bytes, last_bits) => Box::new(shorter_bits(bytes, *last_bits)),
        Term::List(elements, tail) => {
            let proper = tail.as_ref().map(|_| Term::list(elements.clone()));
            let cut = cuts(elements).map(|it| Term::list_before(it, tail_or_nil(tail)));
            Box::new(proper.into_iter().chain(cut).chain(inner(term)))
        }
        Term::Tuple(elements) => Box::new(inner(term).chain(cuts(elements).map(Term::Tuple))),
        Term::Map(pairs) => Box::new(inner(term).chain(cuts(pairs).map(Term::Map))),
        Term::TableFun(fun) => Box::new(cuts(fun.entries()).map(|it| with_entries(fun, it))),
        Term::ExternalFun(_) => Box::new(std::iter::empty()),
    }
}

fn tail_or_nil(tail: &Option<Box<Term>>) -> Term {
    tail.as_deref().cloned().unwrap_or_else(|| Term::list([]))
}

fn with_entries(fun: &TableFun, entries: Vec<(Vec<Term>, Term)>) -> Term {
    let fun = TableFun::new(fun.arity(), entries, fun.default().clone());
    Term::TableFun(Box::new(fun))
}

/// The first terms one and two levels inside, which may have the same type: a tree has smaller
/// trees.
fn inner(term: &Term) -> impl Iterator<Item = Term> + '_ {
    let direct = children(term);
    let deeper: Vec<&Term> = direct.iter().flat_map(|it| children(it)).collect();
    direct.into_iter().chain(deeper).take(MAX_INNER).cloned()
}

/// The sequence without some of its elements: without all, without each half, each quarter and so
/// on, and at last without single elements.
fn cuts<T: Clone>(elements: &[T]) -> impl Iterator<Item = Vec<T>> + '_ {
    let lengths = std::iter::successors(Some(elements.len()), |it| Some(it / 2));
    let lengths = lengths.take_while(|length| *length > 0);
    lengths.flat_map(move |length| {
        let starts = (0..elements.len()).step_by(length);
        starts.map(move |start| {
            let kept = elements.iter().enumerate();
            let kept = kept.filter(|(index, _)| !(start..start + length).contains(index));
            kept.map(|it| it.1.clone()).collect()
        })
    })
}

/// 0, then numbers ever nearer to the value: first those with fewer digits, then smaller ones.
fn toward_zero(value: &Integer) -> impl Iterator<Item = Term> + use<> {
    let value = value.to_big();
    let shifts = std::iter::successors(Some(value.bits()), |it| Some(it / 2));
    let shifts = shifts.take_while(|it| *it > 0);
    let shorter = shifts.map({
        let value = value.clone();
        // Not a shift of the value itself: that rounds toward minus infinity.
        move |bits| &value / (BigInt::from(1) << bits)
    });
    let steps = [
        value.clone() / 4,
        value.clone() / 16,
        value.signum() * 2,
        value.signum(),
    ];
    let opposite = -value.clone();
    let smaller = steps.map(|step| &value - step);
    let all = shorter.chain(smaller).chain([opposite]);
    all.map(|it| Term::Integer(Integer::from(it)))
}

fn plainer_floats(value: f64) -> Vec<Term> {
    let candidates = [0.0, 1.0, value.trunc(), (value / 2.0).trunc(), -value];
    candidates.into_iter().map(Term::Float).collect()
}

/// Shorter bit strings, then the same with readable bytes.
fn shorter_bits(bytes: &[u8], last_bits: u8) -> impl Iterator<Item = Term> + '_ {
    let whole = (last_bits < 8).then(|| {
        let whole = bytes.split_last().map_or(&[][..], |it| it.1);
        Term::Bits(whole.to_vec(), 8)
    });
    let cut = cuts(bytes).map(move |it| {
        let last_bits = if it.is_empty() { 8 } else { last_bits };
        Term::Bits(it, last_bits)
    });
    let whole_bytes = if last_bits < 8 { 0 } else { bytes.len() };
    let odd = (0..whole_bytes).filter(|index| bytes.get(*index).is_some_and(|it| !is_text(*it)));
    let readable = odd.map(|index| {
        let mut bytes = bytes.to_vec();
        if let Some(byte) = bytes.get_mut(index) {
            *byte = b'a';
        }
        Term::Bits(bytes, 8)
    });
    whole.into_iter().chain(cut).chain(readable)
}
