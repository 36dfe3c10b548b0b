//! Terms that Z3 found, as constants.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use erlang_term::Term;
use z3::ast::{Ast, Datatype, Dynamic};

use super::fractions::{NEGATIVE_ZERO, parse_integer};
use super::mentioned::Mentioned;
use super::term_sort::kind_number;
use crate::graph::{Graph, Kinds, NodeId};

/// Larger tuples are not made.
const LARGEST_TUPLE: usize = 256;

/// A model that is being read.
pub(super) struct Decoding<'question> {
    graph: &'question mut Graph,
    mentioned: &'question Mentioned,
    /// The atoms that are not mentioned, by their numbers.
    new_atoms: BTreeMap<i64, String>,
    /// The other constants that are not mentioned, by their kinds and numbers.
    new_others: HashMap<(i64, i64), NodeId>,
}

impl<'question> Decoding<'question> {
    pub(super) fn new(
        graph: &'question mut Graph,
        mentioned: &'question Mentioned,
        inputs: &[Datatype],
    ) -> Self {
        let mut numbers = BTreeSet::new();
        for input in inputs {
            collect_atoms(&Dynamic::from_ast(input), &mut numbers);
        }
        Self {
            new_atoms: names(mentioned, &numbers),
            graph,
            mentioned,
            new_others: HashMap::new(),
        }
    }

    /// The constant; `None` if there is no such constant.
    pub(super) fn value(&mut self, term: &Dynamic) -> Option<NodeId> {
        let fields = term.children();
        match (term.decl().name().as_str(), fields.as_slice()) {
            ("integer", [value]) => {
                let value = parse_integer(&value.as_int()?.to_string())?;
                Some(self.graph.big_integer(value.into()))
            }
            ("float", [value]) => {
                let (over, under) = value.as_real()?.as_rational()?;
                let is_negative_zero = (over, under) == NEGATIVE_ZERO;
                let value = if is_negative_zero && self.graph.tells_zeros_apart() {
                    -0.0
                } else {
                    over as f64 / under as f64
                };
                Some(self.graph.float(value))
            }
            ("atom", [number]) => self.atom(number.as_int()?.as_i64()?),
            ("nil", []) => Some(NodeId::NIL),
            ("cons", [head, tail]) => {
                let (head, tail) = (self.value(head)?, self.value(tail)?);
                Some(self.graph.cons(head, tail))
            }
            ("tuple", [size, rest, list]) => self.tuple(size, rest, list),
            ("other", [kind, number]) => {
                self.other(kind.as_int()?.as_i64()?, number.as_int()?.as_i64()?)
            }
            _ => None,
        }
    }

    /// The elements after the named ones begin with a number that identifies them.
    fn tuple(&mut self, size: &Dynamic, rest: &Dynamic, list: &Dynamic) -> Option<NodeId> {
        let size = usize::try_from(size.as_int()?.as_i64()?).ok()?;
        let mut elements = self.elements(list)?;
        if size > LARGEST_TUPLE || size < elements.len() {
            return None;
        }
        if size > elements.len() {
            let rest = rest.as_int()?.as_i64()?;
            elements.push(self.graph.integer(rest));
        }
        elements.resize(size, self.graph.integer(0));
        Some(self.graph.tuple(elements))
    }

    fn elements(&mut self, list: &Dynamic) -> Option<Vec<NodeId>> {
        let mut elements = Vec::new();
        let mut rest = list.clone();
        while let [head, tail] = rest.children().as_slice() {
            elements.push(self.value(head)?);
            rest = tail.clone();
        }
        Some(elements)
    }

    fn atom(&mut self, number: i64) -> Option<NodeId> {
        let known = self.mentioned.numbered_atoms().find(|it| it.1 == number);
        let text = match known {
            Some((text, _)) => text,
            None => self.new_atoms.get(&number)?,
        };
        Some(self.graph.atom(text))
    }

    fn other(&mut self, kind: i64, number: i64) -> Option<NodeId> {
        let known = usize::try_from(number).ok();
        let known = known.and_then(|number| self.mentioned.others.get(number));
        if let Some(known) = known
            && kind_number(self.graph.kinds(*known)) == kind
        {
            return Some(*known);
        }
        if let Some(made) = self.new_others.get(&(kind, number)) {
            return Some(*made);
        }
        let mut can_be_made = (Kinds::MAP | Kinds::BITS).each();
        let kind_of = can_be_made.find(|it| kind_number(*it) == kind)?;
        let made = (0..).find_map(|size| {
            let value = self.graph.constant(&other_value(kind_of, size));
            let is_used = self.mentioned.others.contains(&value)
                || self.new_others.values().any(|it| *it == value);
            (!is_used).then_some(value)
        })?;
        self.new_others.insert((kind, number), made);
        Some(made)
    }
}

/// A map or bit string, a different one for each size.
fn other_value(kind: Kinds, size: usize) -> Term {
    match kind {
        Kinds::BINARY => Term::Bits(vec![0; size], 8),
        Kinds::PARTIAL_BINARY => Term::Bits(vec![0; size + 1], 1),
        _ => {
            let keys = (0..).take(size).map(|key: i64| Term::Integer(key.into()));
            Term::Map(keys.map(|key| (key, Term::list([]))).collect())
        }
    }
}

fn collect_atoms(term: &Dynamic, numbers: &mut BTreeSet<i64>) {
    let fields = term.children();
    if let ("atom", [number]) = (term.decl().name().as_str(), fields.as_slice()) {
        numbers.extend(number.as_int().and_then(|it| it.as_i64()));
    }
    for field in fields.iter().filter(|it| it.as_datatype().is_some()) {
        collect_atoms(field, numbers);
    }
}

/// Names for the atoms that are not mentioned, in the order of their numbers.
fn names(mentioned: &Mentioned, numbers: &BTreeSet<i64>) -> BTreeMap<i64, String> {
    let known: Vec<(&str, i64)> = mentioned.numbered_atoms().collect();
    let new = numbers
        .iter()
        .filter(|number| known.iter().all(|it| it.1 != **number));
    new.zip(10..)
        .map(|(number, rank)| {
            let before = known.iter().rfind(|it| it.1 < *number);
            let prefix = before.map_or("", |it| it.0);
            (*number, format!("{prefix}{rank}"))
        })
        .collect()
}
