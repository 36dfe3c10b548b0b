//! The values of nodes, and whether conditions hold for them.

use flattener::ast::deep;

use super::Guess;
use crate::conflict::Conflict;
use crate::graph::{Condition, Formula, Graph, Node, NodeId, computed};
use crate::known::constant;

impl Guess<'_, '_> {
    /// The value of a node.
    pub(crate) fn value(&mut self, node: NodeId) -> Result<NodeId, Conflict> {
        if self.known.ends() {
            return Err(Conflict);
        }
        let node = self.known.resolve(node);
        if let Some(value) = self.values.get(&node) {
            return Ok(*value);
        }
        if self.known.graph.is_ground(node)
            && !matches!(self.known.graph.node(node), Node::Closure(_))
        {
            return Ok(node);
        }
        let value = match self.known.graph.node(node).clone() {
            Node::Cons(..)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::MapSize(_)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::AtomOf(_) => {
                let operands = self.known.graph.node(node).operands().into_iter();
                let values: Vec<NodeId> = operands
                    .map(|it| deep(|| self.value(it)))
                    .collect::<Result<_, _>>()?;
                self.computed(node, &values)?
            }
            Node::Truth(condition) => {
                let holds = deep(|| self.holds(condition)).ok_or(Conflict)?;
                self.known.graph.atom(if holds { "true" } else { "false" })
            }
            Node::Choice(condition, yes, no) => {
                let holds = deep(|| self.holds(condition)).ok_or(Conflict)?;
                deep(|| self.value(if holds { yes } else { no }))?
            }
            Node::Input(_) | Node::Part(..) => {
                if !self.building.insert(node) {
                    return Err(Conflict);
                }
                let value = self.choose(node)?;
                self.building.remove(&node);
                value
            }
            Node::Closure(_) | Node::Unknown(_) => {
                return Err(self.known.give_up());
            }
            Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Table(_)
            | Node::Other(..) => node,
        };
        self.values.insert(node, value);
        Ok(value)
    }

    /// Whether a condition holds for the guess; `None` if that is not known.
    pub(crate) fn holds(&mut self, condition: Condition) -> Option<bool> {
        let holds = match self.known.graph.formula(condition).clone() {
            Formula::True => true,
            Formula::All(parts) => {
                let mut all = true;
                for part in &*parts {
                    if !deep(|| self.holds(*part))? {
                        all = false;
                        break;
                    }
                }
                all
            }
            Formula::Kind(kinds, node) => {
                let value = self.value(node).ok()?;
                self.known.graph.kinds(value).is_within(kinds)
            }
            Formula::Arity(arity, node) => {
                let value = self.value(node).ok()?;
                self.known.graph.arity(arity, value) == Condition::TRUE
            }
            Formula::FunArity(arity, node) => {
                let value = self.value(node).ok()?;
                self.known.graph.fun_arity(arity, value) == Condition::TRUE
            }
            Formula::ProperList(node) => {
                let value = self.value(node).ok()?;
                self.known.graph.proper_list(value) == Condition::TRUE
            }
            Formula::Member(of, node) => {
                let value = self.value(node).ok()?;
                constant(self.known.graph.member(of, value))?
            }
            Formula::HasKey(key, map) => self.compare(key, map, Graph::has_key)?,
            Formula::Fields(fields, map) => {
                let value = self.value(map).ok()?;
                constant(self.known.graph.has_fields(&fields, value))?
            }
            Formula::Utf8(from, node) => {
                let value = self.value(node).ok()?;
                constant(self.known.graph.utf8(from, value))?
            }
            Formula::Equal(left, right) => self.compare(left, right, Graph::equal)?,
            Formula::Same(left, right) => self.compare(left, right, Graph::same)?,
            Formula::Less(left, right) => self.compare(left, right, Graph::less)?,
            Formula::Before(left, right) => self.compare(left, right, Graph::before)?,
            Formula::TooLarge(operator, left, right) => {
                self.compare(left, right, |graph, left, right| {
                    graph.too_large(operator, left, right)
                })?
            }
        };
        Some(holds != condition.is_negated())
    }

    fn compare(
        &mut self,
        left: NodeId,
        right: NodeId,
        relation: impl FnOnce(&mut Graph, NodeId, NodeId) -> Condition,
    ) -> Option<bool> {
        let left = self.value(left).ok()?;
        let right = self.value(right).ok()?;
        constant(relation(self.known.graph, left, right))
    }

    /// The value of a node whose operands have these values. There may be none: not every list of
    /// characters is the text of an atom.
    pub(super) fn computed(&mut self, node: NodeId, values: &[NodeId]) -> Result<NodeId, Conflict> {
        computed(self.known.graph, node, values).ok_or_else(|| {
            self.known.give_up();
            Conflict
        })
    }
}
