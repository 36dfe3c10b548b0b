//! Funs of the input. What one returns for some arguments is a part of the input like the head of
//! a list; as a constant a fun is a table of them.

use flattener::ast::deep;

use super::{Condition, Formula, Graph, Kinds, Node, NodeId, Place};

/// A fun with more parameters cannot be made.
pub const MOST_PARAMETERS: u32 = 20;

/// A fun that is a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// The number of its parameters.
    pub arity: u32,
    /// Tuples of arguments and what it returns for them, in a fixed order and without those that
    /// the default says.
    pub entries: Box<[(NodeId, NodeId)]>,
    /// What it returns for all others.
    pub default: NodeId,
}

impl Graph {
    /// A fun that is a constant, from tuples of constants and what it returns for them. Arguments
    /// in which there are funs get the default.
    pub fn table(
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
        entries.retain(|(arguments, result)| *result != default && !self.has_funs(*arguments));
        entries.sort_unstable();
        entries.dedup_by_key(|entry| entry.0);
        self.intern(Node::Table(Box::new(Table {
            arity,
            entries: entries.into(),
            default,
        })))
    }

    /// What a value that is a fun returns for a tuple of arguments.
    pub fn result(&mut self, arguments: NodeId, of: NodeId) -> NodeId {
        match self.node(of).clone() {
            Node::Table(table) => self.looked_up(&table, arguments),
            Node::Choice(..) => self.distribute(of, |graph, leaf| graph.result(arguments, leaf)),
            Node::Other(Kinds::FUN, _) | Node::Closure(_) => self.unknown(),
            _ => self.part(Place::Result(arguments), of),
        }
    }

    /// What a value that is a fun returns for what cannot be in a table.
    pub fn default_result(&mut self, of: NodeId) -> NodeId {
        match *self.node(of) {
            Node::Table(ref table) => table.default,
            Node::Choice(..) => self.distribute(of, Self::default_result),
            Node::Other(Kinds::FUN, _) | Node::Closure(_) => self.unknown(),
            _ => self.part(Place::Default, of),
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
            let is_this = self.equal(arguments, *key);
            self.choice(is_this, *result, others)
        })
    }

    /// How many arguments a tuple of them has.
    pub fn count(&self, arguments: NodeId) -> u32 {
        match self.node(arguments) {
            Node::Tuple(elements) => u32::try_from(elements.len()).unwrap_or(u32::MAX),
            _ => u32::MAX,
        }
    }

    /// A value is a fun with so many parameters.
    pub fn fun_arity(&mut self, arity: u32, node: NodeId) -> Condition {
        if !self.kinds(node).intersects(Kinds::FUN) {
            return Condition::FALSE;
        }
        if let Some(known) = self.known_fun_arity(node) {
            return Condition::of(known == arity);
        }
        match *self.node(node) {
            Node::Choice(..) => {
                self.distribute_condition(node, |graph, leaf| graph.fun_arity(arity, leaf))
            }
            _ => self.intern_formula(Formula::FunArity(arity, node)),
        }
    }

    /// How many parameters a fun has that is known.
    pub fn known_fun_arity(&self, node: NodeId) -> Option<u32> {
        match self.node(node) {
            Node::Table(table) => Some(table.arity),
            Node::Closure(closure) => u32::try_from(closure.arity).ok(),
            Node::Other(Kinds::FUN, _) => match self.to_term(node)? {
                erlang_term::Term::ExternalFun(fun) => Some(u32::from(fun.arity)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a fun is somewhere in a constant.
    pub fn has_funs(&self, constant: NodeId) -> bool {
        match self.node(constant) {
            Node::Table(_) | Node::Closure(_) => true,
            Node::Other(Kinds::FUN, _) => true,
            Node::Other(Kinds::MAP, _) => self.to_term(constant).is_some_and(|it| it.has_funs()),
            Node::Cons(..) | Node::Tuple(_) => {
                let parts = self.operands(constant);
                parts.into_iter().any(|it| deep(|| self.has_funs(it)))
            }
            _ => false,
        }
    }
}
