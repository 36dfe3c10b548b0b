//! Values without parts: numbers, atoms, and bit strings whose contents do not matter.

use erlang_term::Term;
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

use super::Guess;
use super::checking::compared;
use crate::graph::{Condition, Formula, Graph, Kinds, Node, NodeId};
use crate::types::READABLE;

/// The longest bit string that is tried, in bytes.
const LONGEST_BITS: usize = 1000;

impl Guess<'_, '_> {
    /// The first value of a kind without parts that fulfils the kept conditions on a part, or else
    /// the first one that is not excluded.
    pub(super) fn choose_atomic(
        &mut self,
        part: NodeId,
        kind: Kinds,
        wanted: Option<NodeId>,
    ) -> Option<NodeId> {
        let conditions = self.kept.get(&part).cloned().unwrap_or_default();
        let likely = self.likely_values(&conditions, part, kind, wanted);
        let order = self.in_order(part, &conditions);
        let ordered = order.as_ref().map(|order| self.atoms_in_order(order));
        let ordered = ordered.filter(|_| kind == Kinds::ATOM).unwrap_or_default();
        // One of this many different values fits if any new value will do.
        let plain = self.known.store.part(part).not.len() + self.values.len() + 2;
        let mut fallback = None;
        for number in 0..likely.len() + plain + ordered.len() {
            let candidate = match number.checked_sub(likely.len()) {
                Some(number) if number < plain => plain_value(self.known.graph, kind, number),
                Some(number) => ordered.get(number - plain).copied(),
                None => likely.get(number).copied(),
            };
            let Some(candidate) = candidate else { break };
            if self.known.ends() {
                return None;
            }
            if self.known.store.part(part).not.contains(&candidate) {
                continue;
            }
            let is_in_order = match &order {
                Some(order) => self.is_in_order(order, candidate),
                None => true,
            };
            if is_in_order && self.fits(part, candidate, &conditions) {
                return Some(candidate);
            }
            fallback = fallback.or(Some(candidate));
        }
        fallback
    }

    /// Values of a kind that may be wanted, the best first.
    fn likely_values(
        &mut self,
        conditions: &[Condition],
        part: NodeId,
        kind: Kinds,
        wanted: Option<NodeId>,
    ) -> Vec<NodeId> {
        let mut likely: Vec<NodeId> = wanted
            .into_iter()
            .filter(|wanted| self.known.graph.kinds(*wanted) == kind)
            .collect();
        for condition in conditions {
            likely.extend(self.simplest_forms(*condition, kind));
        }
        match kind {
            Kinds::INTEGER | Kinds::FLOAT => {
                likely.extend(self.numbers_around(conditions, kind == Kinds::FLOAT));
                // Of the parts of an input only characters are known to be integers.
                if self.known.graph.kinds(part) == Kinds::INTEGER
                    && !self.known.graph.node(part).is_size()
                {
                    likely.push(self.known.graph.integer(READABLE));
                }
            }
            Kinds::ATOM => {
                for condition in conditions {
                    likely.extend(self.atoms_around(*condition));
                }
            }
            _ => {}
        }
        likely
    }

    /// Numbers just before and after those that a part is compared with.
    fn numbers_around(&mut self, conditions: &[Condition], as_floats: bool) -> Vec<NodeId> {
        let mut numbers = Vec::new();
        for condition in conditions {
            let Formula::Less(left, right) = *self.known.graph.formula(*condition) else {
                continue;
            };
            for node in [left, right] {
                let node = self.known.resolve(node);
                let near = if let Node::Integer(value) = self.known.graph.node(node) {
                    near(&value.to_big(), as_floats)
                } else if let Node::Float(bits) = self.known.graph.node(node) {
                    near_float(f64::from_bits(*bits), as_floats)
                } else {
                    continue;
                };
                numbers.extend(near.iter().map(|term| self.known.graph.constant(term)));
            }
        }
        numbers
    }

    /// Atoms just before and after those that a condition compares with.
    fn atoms_around(&mut self, condition: Condition) -> Vec<NodeId> {
        let Formula::Less(left, right) = *self.known.graph.formula(condition) else {
            return Vec::new();
        };
        let mut atoms = Vec::new();
        for node in [left, right] {
            let node = self.known.resolve(node);
            if let Node::Atom(atom) = self.known.graph.node(node) {
                let text = atom.as_str().to_owned();
                let mut shorter = text.clone();
                shorter.pop();
                for text in [text.clone(), format!("{text}a"), shorter] {
                    atoms.push(self.known.graph.atom(&text));
                }
            }
        }
        atoms
    }

    /// Whether a value fulfils the kept conditions on a part, as far as they can be checked yet.
    pub(super) fn fits(
        &mut self,
        part: NodeId,
        candidate: NodeId,
        conditions: &[Condition],
    ) -> bool {
        self.values.insert(part, candidate);
        let fits = conditions
            .iter()
            .all(|condition| !self.is_decided(*condition) || self.holds(*condition) == Some(true));
        self.values.remove(&part);
        fits
    }

    /// Whether everything that a condition compares has a value already.
    fn is_decided(&mut self, condition: Condition) -> bool {
        let Some(nodes) = compared(self.known.graph, condition) else {
            return false;
        };
        nodes.into_iter().all(|node| {
            let node = self.known.resolve(node);
            self.values.contains_key(&node) || self.known.graph.is_ground(node)
        })
    }
}

/// A small value of a kind, a different one for each number, as long as there are more.
pub(super) fn plain_value(graph: &mut Graph, kind: Kinds, number: usize) -> Option<NodeId> {
    Some(match kind {
        Kinds::INTEGER => graph.integer(i64::try_from(number).ok()?),
        Kinds::FLOAT => graph.float(f64::from(u32::try_from(number).ok()?)),
        Kinds::ATOM => plain_atom(graph, number),
        Kinds::NIL if number == 0 => NodeId::NIL,
        Kinds::BINARY if number <= LONGEST_BITS => graph.constant(&Term::Bits(vec![0; number], 8)),
        Kinds::PARTIAL_BINARY if number < LONGEST_BITS => {
            graph.constant(&Term::Bits(vec![0; number + 1], 1))
        }
        _ => return None,
    })
}

/// `a`, `b` … `z`, `a1`, `b1` …
pub(super) fn plain_atom(graph: &mut Graph, number: usize) -> NodeId {
    let letter = char::from(b'a' + u8::try_from(number % 26).unwrap_or(0));
    let text = match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    };
    graph.atom(&text)
}

/// An integer and those next to it, or floats like them.
fn near(value: &BigInt, as_floats: bool) -> Vec<Term> {
    if as_floats {
        let float = value.to_f64().filter(|it| it.is_finite());
        return float.map_or(Vec::new(), |it| near_float(it, true));
    }
    let near = [value.clone(), value + 1, value - 1];
    near.map(|it| Term::Integer(it.into())).to_vec()
}

/// A float, one more and one less, or the integers before them.
fn near_float(value: f64, as_floats: bool) -> Vec<Term> {
    if as_floats {
        let zero = (value == 0.0).then_some(-value);
        let near = [value, value + 1.0, value - 1.0].into_iter().chain(zero);
        return near.map(Term::Float).collect();
    }
    let below = BigInt::from_f64(value.floor());
    below.map_or(Vec::new(), |it| near(&it, false))
}
