//! The executions of `receive` in a run of several processes, and which messages each could take.

use flattener::flat::{Clause, Function, Operation, SiteId, VarId};
use solver::graph::{Condition, Graph, NodeId};
use trace_format::Program;

use crate::rules::{Environment, patterns_match, unknown_condition, with_guard};

/// An execution of a `receive`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedReceive {
    /// The number of its process.
    pub process: usize,
    /// How long it waits for a message.
    pub timeout: ReceiveTimeout,
    /// What it takes.
    pub(super) wanted: Wanted,
}

/// How long a `receive` waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiveTimeout {
    /// For ever.
    Never,
    /// Not at all: `after 0`.
    Zero,
    /// For some time.
    Later,
}

/// The messages that a `receive` takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// None: it only waits.
    Nothing,
    /// The first that is there.
    Anything,
    /// Those that clauses of a `case` take.
    Clauses(WantedClauses),
}

/// The clauses of a `receive`, and the values of the variables that they use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WantedClauses {
    /// Module and site of the `case` or `receive`.
    pub(super) place: (usize, SiteId),
    /// The clauses that take a message; the others go on to the next one.
    pub(super) taking: Box<[usize]>,
    /// The variable of the message, if there is one.
    pub(super) message: Option<VarId>,
    /// The variables around the `receive` that its patterns and guards use.
    pub(super) variables: Box<[(VarId, NodeId)]>,
}

impl Wanted {
    /// Whether a message may be taken for some input.
    pub(super) fn might_take(&self, program: &Program, graph: &mut Graph, message: NodeId) -> bool {
        match self {
            Self::Nothing => false,
            Self::Anything => true,
            Self::Clauses(clauses) => clauses.might_take(program, graph, message),
        }
    }
}

impl WantedClauses {
    fn might_take(&self, program: &Program, graph: &mut Graph, message: NodeId) -> bool {
        let Some((function, clauses)) = self.code(program) else {
            return true;
        };
        let mut environment = self.environment(function, message);
        let taking = self.taking.iter().filter_map(|index| clauses.get(*index));
        for clause in taking {
            let way = clause_way(graph, &mut environment, clause, message);
            if way != Condition::FALSE {
                return true;
            }
        }
        false
    }

    fn code<'run>(&self, program: &'run Program) -> Option<(&'run Function, &'run [Clause])> {
        let module = program.module(self.place.0)?;
        let (function, statement) = module.statement(self.place.1)?;
        let (Operation::Case { clauses, .. } | Operation::Receive { clauses, .. }) =
            &statement.operation
        else {
            return None;
        };
        Some((module.function(function)?, clauses))
    }

    fn environment(&self, function: &Function, message: NodeId) -> Environment {
        let mut environment = Environment::default();
        environment.enter(function.variables.len());
        for (variable, value) in &self.variables {
            environment.bind(*variable, *value);
        }
        if let Some(variable) = self.message {
            environment.bind(variable, message);
        }
        environment
    }
}

/// The condition on which a clause of a `receive` matches a message.
pub(super) fn clause_way(
    graph: &mut Graph,
    environment: &mut Environment,
    clause: &Clause,
    message: NodeId,
) -> Condition {
    match patterns_match(graph, environment, clause, &[message], &[]) {
        Ok(patterns) => with_guard(graph, environment, clause, patterns),
        Err(_) => unknown_condition(graph),
    }
}
