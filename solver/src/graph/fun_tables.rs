//! Funs of the input. The result for some arguments is a part of the input like the head of a
//! list; as a constant, a fun is a table of results.

use erlang_term::Term;

use super::arena::Graph;
use super::constant_terms::to_term;
use super::formula::Formula;
use super::fun_keys::can_be_key;
use super::ids::{Condition, NodeId};
use super::node::{Node, Place, Table};
use crate::kinds::Kinds;

impl Graph {
    /// A fun that is a constant, from tuples of constant arguments with their results. Arguments
    /// that cannot be keys get the default.
    pub(crate) fn table(
        &mut self,
        arity: u32,
        mut entries: Vec<(NodeId, NodeId)>,
        default: NodeId,
    ) -> NodeId {
        let default = match entries.first() {
            // There are no other arguments.
            Some((_, result)) if arity == 0 => *result,
            _ => default,
        };
        for (arguments, _) in &mut entries {
            *arguments = self.table_key(*arguments);
        }
        entries.retain(|(key, result)| *result != default && can_be_key(self, *key));
        entries.sort_unstable();
        entries.dedup_by_key(|entry| entry.0);
        self.intern(Node::Table(Box::new(Table {
            arity,
            entries: entries.into(),
            default,
        })))
    }

    /// The result of a value that is a fun, for a tuple of arguments.
    pub fn result(&mut self, arguments: NodeId, of: NodeId) -> NodeId {
        let arguments = self.table_key(arguments);
        self.distribute(of, |graph, leaf| {
            if let Node::Table(table) = graph.node(leaf) {
                let table = table.clone();
                graph.looked_up(&table, arguments)
            } else {
                graph.result_part(Place::Result(arguments), leaf)
            }
        })
    }

    /// The result of a value that is a fun, for arguments that cannot be in a table.
    pub fn default_result(&mut self, of: NodeId) -> NodeId {
        self.distribute(of, |graph, leaf| {
            if let Node::Table(table) = graph.node(leaf) {
                table.default
            } else {
                graph.result_part(Place::Default, leaf)
            }
        })
    }

    /// Nothing is known about the results of funs that the program made or named.
    fn result_part(&mut self, place: Place, of: NodeId) -> NodeId {
        if matches!(self.node(of), Node::Other(Kinds::FUN, _) | Node::Closure(_)) {
            self.unknown()
        } else {
            self.part(place, of)
        }
    }

    fn looked_up(&mut self, table: &Table, arguments: NodeId) -> NodeId {
        if self.is_ground(arguments) {
            let mut entries = table.entries.iter();
            let found = entries.find(|it| it.0 == arguments);
            return found.map_or(table.default, |it| it.1);
        }
        let entries = table.entries.iter().rev();
        entries.fold(table.default, |others, (key, result)| {
            let is_this = self.same_key(arguments, *key, *key);
            self.choice(is_this, *result, others)
        })
    }

    /// The number of arguments in a tuple of them.
    pub(crate) fn count(&self, arguments: NodeId) -> u32 {
        let Node::Tuple(elements) = self.node(arguments) else {
            return u32::MAX;
        };
        u32::try_from(elements.len()).unwrap_or(u32::MAX)
    }

    /// A value is a fun of this arity.
    pub fn fun_arity(&mut self, arity: u32, node: NodeId) -> Condition {
        self.distribute_condition(node, |graph, leaf| {
            if !graph.kinds(leaf).intersects(Kinds::FUN) {
                Condition::FALSE
            } else if let Some(known) = graph.known_fun_arity(leaf) {
                Condition::of(known == arity)
            } else {
                graph.intern_formula(Formula::FunArity(arity, leaf))
            }
        })
    }

    /// The arity of a known fun.
    pub fn known_fun_arity(&self, node: NodeId) -> Option<u32> {
        if let Node::Table(table) = self.node(node) {
            return Some(table.arity);
        }
        if let Node::Closure(closure) = self.node(node) {
            return u32::try_from(closure.arity).ok();
        }
        if let Node::Other(Kinds::FUN, _) = self.node(node)
            && let Term::ExternalFun(fun) = to_term(self, node)?
        {
            return Some(u32::from(fun.arity));
        }
        None
    }
}
