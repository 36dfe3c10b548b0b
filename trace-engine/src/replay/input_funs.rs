//! Calls of values that may be funs of the input. Whether one is a fun with so many parameters is a
//! decision; what it returns is a part of the input.

use flattener::ast::deep;
use flattener::flat::Statement;
use trace_format::CallKind;

use super::calls::call_of_erlang;
use super::exceptions::Exception;
use super::{Misfit, Nodes, OpaqueCall, Replay};
use crate::models::{Stop, Walk};
use solver::graph::{Condition, Kinds, Node, NodeId};

/// What became of a call.
#[derive(Clone, Debug)]
pub(super) enum Called {
    /// A fun of the program or of a library was called, with these arguments.
    Known(Nodes),
    /// A fun of the input returned.
    Returned(NodeId),
    /// It was no fun, or one with another number of parameters.
    Raised(Exception),
}

/// Whether arguments can be in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// They can.
    Possible,
    /// They cannot: a fun, pid, port or reference of the program is among them.
    Impossible,
    /// That cannot be told.
    Open,
}

impl Key {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Open, _) | (_, Self::Open) => Self::Open,
            (Self::Impossible, _) | (_, Self::Impossible) => Self::Impossible,
            (Self::Possible, Self::Possible) => Self::Possible,
        }
    }
}

impl<'run> Replay<'run> {
    /// A value was called. `None` if that is not all there is to it: what is called is another
    /// function for another input, or nothing is known about it.
    pub(super) fn apply_value(
        &mut self,
        statement: &'run Statement,
    ) -> Result<Option<Called>, Misfit> {
        if self.call_kind(statement) != Ok(CallKind::Computed) {
            return Ok(None);
        }
        let (Some(fun), arguments) = self.call_arguments(statement)? else {
            return Ok(None);
        };
        if self.graph().is_unknown(fun) && !matches!(self.graph().node(fun), Node::Closure(_)) {
            return Ok(None);
        }
        let arguments = match self.all_arguments(statement, arguments)? {
            Ok(arguments) => arguments,
            Err(called) => return Ok(called),
        };
        let count = u32::try_from(arguments.len()).unwrap_or(u32::MAX);
        let graph = self.graph();
        let ways = [
            graph.fun_arity(count, fun),
            graph.kind(Kinds::FUN, fun),
            Condition::TRUE,
        ];
        match self.choose(statement, &ways)? {
            Some(0) => self.returned(fun, arguments),
            Some(taken) => {
                let reason = self.reason(fun, &arguments, taken == 1);
                Ok(Some(Called::Raised(reason)))
            }
            None => Ok(None),
        }
    }

    /// The arguments of a call, also if `apply/2` got them in a list whose end is not known.
    fn all_arguments(
        &mut self,
        statement: &'run Statement,
        known: Nodes,
    ) -> Result<Result<Nodes, Option<Called>>, Misfit> {
        let Some(("apply", arguments)) = call_of_erlang(&statement.operation) else {
            return Ok(Ok(known));
        };
        let &[_, list] = self.values(arguments).as_slice() else {
            return Ok(Err(None));
        };
        let mut walk = Walk::new(&mut self.replayed.graph, &mut self.input, &[]);
        let walked = walk.elements(list);
        let decisions = walk.decisions;
        self.decide_all(statement, decisions)?;
        Ok(match walked {
            Ok(elements) => Ok(elements.into()),
            Err(Stop::Raises) => {
                let graph = self.graph();
                Err(Some(Called::Raised(Exception {
                    class: graph.atom("error"),
                    reason: graph.atom("badarg"),
                })))
            }
            Err(_) => Err(None),
        })
    }

    fn returned(&mut self, fun: NodeId, arguments: Nodes) -> Result<Option<Called>, Misfit> {
        let graph = &mut self.replayed.graph;
        if matches!(graph.node(fun), Node::Closure(_)) || graph.is_ground(fun) {
            return Ok(Some(Called::Known(arguments)));
        }
        let value = self.input.value(graph, fun);
        if !value.is_some_and(|it| matches!(graph.node(it), Node::Table(_))) {
            return Ok(None);
        }
        let arguments = graph.tuple(arguments);
        let key = self.key(arguments, fun);
        if key == Key::Open {
            return Ok(None);
        }
        let graph = &mut self.replayed.graph;
        let value = self.input.value(graph, arguments);
        let has_funs = value.is_some_and(|it| graph.has_funs(it));
        if has_funs || key == Key::Impossible {
            // It could tell them apart.
            let what = "a fun of the input that is given a fun, pid, port or reference";
            self.replayed.opaque.push(OpaqueCall {
                name: what.to_owned(),
                place: None,
            });
        }
        let result = if key == Key::Possible {
            graph.result(arguments, fun)
        } else {
            graph.default_result(fun)
        };
        Ok(Some(Called::Returned(result)))
    }

    /// Whether arguments can be in the table of a fun.
    fn key(&self, node: NodeId, fun: NodeId) -> Key {
        let graph = &self.replayed.graph;
        if node == fun {
            return Key::Impossible;
        }
        match graph.node(node) {
            Node::Closure(_) => Key::Impossible,
            _ if graph.is_unknown(node) => Key::Open,
            Node::Cons(..) | Node::Tuple(_) => {
                let inner = graph.operands(node).into_iter();
                let inner = inner.map(|it| deep(|| self.key(it, fun)));
                inner.fold(Key::Possible, Key::and)
            }
            Node::Choice(..) => {
                let mut leaves = graph.leaves(node).into_iter();
                if leaves.all(|it| deep(|| self.key(it, fun)) == Key::Possible) {
                    Key::Possible
                } else {
                    Key::Open
                }
            }
            Node::Other(kinds, _) if kinds.is_within(Kinds::FOREIGN) => Key::Impossible,
            Node::Other(..) if graph.to_term(node).is_none() => Key::Impossible,
            _ => Key::Possible,
        }
    }

    fn reason(&mut self, fun: NodeId, arguments: &[NodeId], is_fun: bool) -> Exception {
        let graph = self.graph();
        let reason = if is_fun {
            let list = arguments.iter().rev();
            let list = list.fold(NodeId::NIL, |tail, head| graph.cons(*head, tail));
            let call = graph.tuple([fun, list]);
            [graph.atom("badarity"), call]
        } else {
            [graph.atom("badfun"), fun]
        };
        Exception {
            class: graph.atom("error"),
            reason: graph.tuple(reason),
        }
    }
}
