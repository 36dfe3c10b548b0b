//! Which functions and clauses of the user's were reached.

use std::collections::HashSet;

use flattener::ast::Annotations;
use flattener::flat::{BlockId, Function, Operation};
use trace_engine::explore::ClauseId;
use trace_format::ProgramModule;

use crate::exploration::callees::Number;
use crate::near_path::near;
use crate::target::Target;

/// How much was reached.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    pub(crate) functions: Count,
    pub(crate) clauses: Count,
    /// The clauses that were not.
    pub(crate) missed: Vec<ClausePlace>,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) covered: usize,
    pub(crate) total: usize,
}

impl Count {
    fn add(&mut self, is_covered: bool) {
        self.total += 1;
        self.covered += usize::from(is_covered);
    }
}

/// Where a clause is.
#[derive(Clone, Debug)]
pub(crate) struct ClausePlace {
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    /// `m:f/2#1.3`: the third clause of the first case of `f/2`.
    pub(crate) clause: String,
}

/// A clause that the user wrote.
#[derive(Debug)]
pub(crate) struct OwnClause {
    pub(crate) id: ClauseId,
    /// The function it is in.
    pub(crate) function: Number,
    pub(crate) place: ClausePlace,
}

/// All that can be reached: functions and clauses of the user's.
#[derive(Debug, Default)]
pub(crate) struct OwnCode {
    functions: Vec<Number>,
    pub(crate) clauses: Vec<OwnClause>,
}

impl OwnCode {
    pub(crate) fn new(target: &Target) -> Self {
        let mut code = Self::default();
        let own = target.program.modules().iter().take(target.own_modules);
        for (number, module) in own.enumerate() {
            for (index, function) in module.flat.functions.iter().enumerate() {
                if function.id.name.as_str() == "module_info" {
                    continue;
                }
                code.functions.push((number, index));
                let mut walk = Walk {
                    module,
                    number: (number, index),
                    function,
                    cases: 0,
                    clauses: &mut code.clauses,
                };
                walk.block(function.fun.body);
            }
        }
        code
    }

    /// The clauses of those functions that count.
    pub(crate) fn clauses_of(&self, counts: impl Fn(&Number) -> bool) -> HashSet<ClauseId> {
        let clauses = self.clauses.iter();
        let counted = clauses.filter(|it| counts(&it.function));
        counted.map(|it| it.id).collect()
    }
}

impl Coverage {
    /// How much was reached of those functions that count.
    pub(crate) fn new(
        code: &OwnCode,
        functions: &HashSet<Number>,
        clauses: &HashSet<ClauseId>,
        counts: impl Fn(&Number) -> bool,
    ) -> Self {
        let mut coverage = Self::default();
        for number in code.functions.iter().filter(|it| counts(it)) {
            coverage.functions.add(functions.contains(number));
        }
        for clause in code.clauses.iter().filter(|it| counts(&it.function)) {
            let is_reached = clauses.contains(&clause.id);
            coverage.clauses.add(is_reached);
            if !is_reached {
                coverage.missed.push(clause.place.clone());
            }
        }
        coverage
    }
}

struct Walk<'program> {
    module: &'program ProgramModule,
    number: Number,
    function: &'program Function,
    /// The number of the last case of the source.
    cases: usize,
    clauses: &'program mut Vec<OwnClause>,
}

impl Walk<'_> {
    fn block(&mut self, id: BlockId) {
        let function = self.function;
        for statement in &function.block(id).statements {
            if let Operation::Case { clauses, .. } = &statement.operation {
                let is_own = |it: &Annotations| !it.has("compiler_generated");
                if clauses.iter().any(|it| is_own(&it.annotations)) {
                    self.cases += 1;
                }
                for (index, clause) in clauses.iter().enumerate() {
                    if is_own(&clause.annotations) {
                        let own = OwnClause {
                            id: (self.number.0, statement.site, index),
                            function: self.number,
                            place: self.place(index, &clause.annotations),
                        };
                        self.clauses.push(own);
                    }
                }
            }
            for block in statement.operation.nested_blocks() {
                flattener::ast::deep(|| self.block(block));
            }
        }
    }

    fn place(&self, index: usize, annotations: &Annotations) -> ClausePlace {
        let (module, function) = (&self.module.name, &self.function.id);
        ClausePlace {
            file: annotations.file().map(near),
            line: annotations.position().map(|it| it.0),
            clause: format!(
                "{module}:{}/{}#{}.{}",
                function.name,
                function.arity,
                self.cases,
                index + 1
            ),
        }
    }
}
