//! Which functions and clauses of the user's were reached.

use std::collections::HashSet;

use flattener::ast::Annotations;
use flattener::flat::{BlockId, Function, Operation};
use trace_engine::explore::Report;
use trace_format::ProgramModule;

use crate::target::Target;

/// How much was reached.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    pub(crate) functions: Count,
    pub(crate) clauses: Count,
    /// The clauses that were not.
    pub(crate) missed: Vec<Missed>,
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

/// A clause that was not reached.
#[derive(Debug)]
pub(crate) struct Missed {
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    /// `m:f/2#1.3`: the third clause of the first case of `f/2`.
    pub(crate) clause: String,
}

impl Coverage {
    pub(crate) fn new<O>(target: &Target, report: &Report<O>) -> Self {
        let mut coverage = Self::default();
        let own = target.program.modules().iter().take(target.own_modules);
        for (number, module) in own.enumerate() {
            for (index, function) in module.flat.functions.iter().enumerate() {
                if function.id.name.as_str() == "module_info" {
                    continue;
                }
                let is_reached = report.functions.contains(&(number, index));
                coverage.functions.add(is_reached);
                let mut walk = Walk {
                    module,
                    number,
                    function,
                    reached: &report.clauses,
                    cases: 0,
                    coverage: &mut coverage,
                };
                walk.block(function.fun.body);
            }
        }
        coverage
    }
}

struct Walk<'search> {
    module: &'search ProgramModule,
    number: usize,
    function: &'search Function,
    reached: &'search HashSet<(usize, flattener::flat::SiteId, usize)>,
    /// The number of the last case of the source.
    cases: usize,
    coverage: &'search mut Coverage,
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
                    if !is_own(&clause.annotations) {
                        continue;
                    }
                    let key = (self.number, statement.site, index);
                    let is_reached = self.reached.contains(&key);
                    self.coverage.clauses.add(is_reached);
                    if !is_reached {
                        let clause = self.missed(index, &clause.annotations);
                        self.coverage.missed.push(clause);
                    }
                }
            }
            for block in statement.operation.nested_blocks() {
                flattener::ast::deep(|| self.block(block));
            }
        }
    }

    fn missed(&self, index: usize, annotations: &Annotations) -> Missed {
        let (module, function) = (&self.module.name, &self.function.id);
        Missed {
            file: annotations.file(),
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
