//! A built-in that walks through its arguments. It is not written in Erlang, so no log tells which
//! branches it took. Here it takes them again: the arguments of the run decide, and each decision
//! is one of the program's.

use erlang_term::Atom;
use solver::graph::{Condition, Graph, Input, Kinds, NodeId};

/// Why a built-in does not return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It raises an exception, whose reason is in the log.
    Raises,
    /// It raises an error with this reason.
    Error(NodeId),
    /// It returns, but what it returns is known for the input of the run only. Nothing else depends
    /// on the input.
    Taken(NodeId),
    /// It returns this or raises, and nobody can tell for which arguments.
    Perhaps(NodeId),
    /// Nobody can tell what it does.
    Unknown,
}

/// The result of a walk.
pub type Walked = Result<NodeId, Stop>;

/// The conditions that were asked in order, and the number of the first that holds.
pub type Choice = (Vec<Condition>, usize);

/// A built-in on its way through its arguments.
#[expect(missing_debug_implementations, reason = "it holds a function")]
pub struct Walk<'run> {
    pub(crate) graph: &'run mut Graph,
    pub(crate) input: &'run mut Input,
    /// The atoms that the program knows by name.
    pub(crate) known_atoms: &'run dyn Fn() -> &'run [Atom],
    /// The choices so far.
    pub choices: Vec<Choice>,
}

fn no_atoms<'run>() -> &'run [Atom] {
    &[]
}

impl<'run> Walk<'run> {
    /// A walk that has not begun, with the arguments of a run.
    #[inline]
    pub fn new(graph: &'run mut Graph, input: &'run mut Input) -> Self {
        Self {
            graph,
            input,
            known_atoms: &no_atoms,
            choices: Vec::new(),
        }
    }

    /// The same for a program that knows these atoms by name.
    pub fn with_atoms(self, known_atoms: &'run dyn Fn() -> &'run [Atom]) -> Self {
        Self {
            known_atoms,
            ..self
        }
    }

    /// The values that the walk is about.
    pub fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    /// Chooses the first condition that holds; the last one covers the rest. They may depend on
    /// the input only through earlier choices, so that all inputs that come here have the same
    /// choice.
    ///
    /// # Errors
    /// When the run does not tell which one holds.
    pub fn choose(&mut self, ways: &[Condition]) -> Result<usize, Stop> {
        let taken = self.input.first_that_holds(self.graph, ways);
        let taken = taken.ok_or(Stop::Unknown)?;
        self.choices.push((ways.to_vec(), taken));
        Ok(taken)
    }

    /// Whether a condition holds in the run, without a choice; `None` if the run does not tell.
    pub fn known(&mut self, condition: Condition) -> Option<bool> {
        self.input.holds(self.graph, condition)
    }

    /// States what holds by the meaning of the parts so far. There is no other choice.
    pub(crate) fn assume(&mut self, condition: Condition) -> Result<(), Stop> {
        if self.input.holds(self.graph, condition) != Some(true) {
            return Err(Stop::Unknown);
        }
        self.choices.push((vec![condition], 0));
        Ok(())
    }

    /// Whether a condition holds.
    pub(crate) fn holds(&mut self, condition: Condition) -> Result<bool, Stop> {
        Ok(self.choose(&[condition, Condition::TRUE])? == 0)
    }

    /// Raises unless a condition holds.
    pub(crate) fn require(&mut self, condition: Condition) -> Result<(), Stop> {
        if self.holds(condition)? {
            Ok(())
        } else {
            Err(Stop::Raises)
        }
    }

    /// The head and tail of a list; `None` at its end.
    pub(crate) fn next(&mut self, list: NodeId) -> Result<Option<(NodeId, NodeId)>, Stop> {
        let is_cell = self.graph.kind(Kinds::CONS, list);
        let is_end = self.graph.kind(Kinds::NIL, list);
        match self.choose(&[is_cell, is_end, Condition::TRUE])? {
            0 => Ok(Some((self.graph.head(list), self.graph.tail(list)))),
            1 => Ok(None),
            _ => Err(Stop::Raises),
        }
    }

    /// All elements of a proper list.
    ///
    /// # Errors
    /// When it is not one, or the run does not tell.
    pub fn elements(&mut self, list: NodeId) -> Result<Vec<NodeId>, Stop> {
        let mut elements = Vec::new();
        let mut rest = list;
        while let Some((head, tail)) = self.next(rest)? {
            elements.push(head);
            rest = tail;
        }
        Ok(elements)
    }

    /// A list of these before a tail.
    pub(crate) fn list_before(&mut self, elements: &[NodeId], tail: NodeId) -> NodeId {
        let elements = elements.iter().rev();
        elements.fold(tail, |tail, head| self.graph.cons(*head, tail))
    }

    pub(crate) fn list(&mut self, elements: &[NodeId]) -> NodeId {
        self.list_before(elements, NodeId::NIL)
    }

    pub(crate) fn truth(&mut self, holds: bool) -> NodeId {
        self.graph.atom(if holds { "true" } else { "false" })
    }

    /// Whether a value is an integer between two, both included.
    pub(crate) fn is_between(&mut self, value: NodeId, first: i64, last: i64) -> Condition {
        let is_integer = self.graph.kind(Kinds::INTEGER, value);
        let (first, last) = (self.graph.integer(first), self.graph.integer(last));
        let is_below = self.graph.less(value, first);
        let is_above = self.graph.less(last, value);
        self.graph.all([is_integer, !is_below, !is_above])
    }
}
