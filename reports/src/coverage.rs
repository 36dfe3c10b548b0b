//! Coverage: which functions and clauses of the user were reached.

use std::collections::HashSet;

use flattener::ast::Annotations;
use flattener::flat::visit::{Visitor, walk_statement};
use flattener::flat::{Clause, Function, Operation, SiteId, Statement, is_made_by_elixir};
use trace_engine::explore::ClauseId;
use trace_format::ProgramModule;

use crate::callees::FunctionNumber;
use crate::current_folder::CurrentFolder;
use crate::entry::Entry;
use crate::explored_code::ExploredCode;

/// How much of the user's code was reached.
#[derive(Debug, Default)]
pub struct Coverage {
    /// Functions.
    pub functions: ReachedCount,
    /// Clauses.
    pub clauses: ReachedCount,
    /// The clauses that were not reached.
    pub missed: Vec<ClausePlace>,
    /// What was reached, by name. Only the coverage of all searches together has names.
    pub reached: Option<ReachedNames>,
}

/// What was reached, and which functions were not, by name.
#[derive(Clone, Debug, Default)]
pub struct ReachedNames {
    /// The clauses that were reached.
    pub clauses: Vec<ClausePlace>,
    /// The functions that were reached.
    pub functions: Vec<String>,
    /// The functions that were not reached.
    pub missed_functions: Vec<String>,
}

/// How many were reached, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReachedCount {
    /// How many were reached.
    pub covered: usize,
    /// How many there are.
    pub total: usize,
}

impl ReachedCount {
    fn add(&mut self, is_covered: bool) {
        self.total += 1;
        self.covered += usize::from(is_covered);
    }
}

/// Where a clause is.
#[derive(Clone, Debug)]
pub struct ClausePlace {
    /// Its source, if known.
    pub file: Option<String>,
    /// Its line, if known.
    pub line: Option<u32>,
    /// `m:f/2#1.3`: the third clause of the first case of `f/2`.
    pub clause: String,
}

/// A clause that the user wrote.
#[derive(Debug)]
pub struct OwnClause {
    /// How searches name it.
    pub id: ClauseId,
    /// The function it is in.
    pub function: FunctionNumber,
    /// Where it is.
    pub place: ClausePlace,
}

/// The functions and clauses of the user, all of which count for coverage.
#[derive(Debug, Default)]
pub struct ReachableCode {
    functions: Vec<(FunctionNumber, String)>,
    /// The clauses, in the order of their modules and functions.
    pub clauses: Vec<OwnClause>,
}

impl ReachableCode {
    /// Finds them in the flat form.
    pub fn new(explored: &ExploredCode<'_>) -> Self {
        let mut code = Self::default();
        for (number, module) in explored.modules().enumerate() {
            for (index, function) in module.flat.functions.iter().enumerate() {
                let id = &function.id;
                if id.name.as_str() == "module_info" || is_made_by_elixir(&module.flat, id) {
                    continue;
                }
                let name = format!("{}:{}/{}", module.name, id.name, id.arity);
                code.functions.push(((number, index), name));
                let mut walk = ClauseWalk {
                    module,
                    folder: &explored.folder,
                    number: (number, index),
                    function,
                    cases: 0,
                    clauses: &mut code.clauses,
                };
                walk.visit_fun(&function.fun);
            }
        }
        code
    }

    /// How many clauses an entry may reach, as far as the text of the program shows.
    pub fn clauses_below(&self, code: &ExploredCode<'_>, entry: &Entry) -> usize {
        let called = code.callees_of(entry);
        let clauses = self.clauses.iter();
        clauses.filter(|it| called.contains(&it.function)).count()
    }

    /// The clauses of the functions that count.
    pub(crate) fn clauses_of(&self, counts: impl Fn(&FunctionNumber) -> bool) -> HashSet<ClauseId> {
        let clauses = self.clauses.iter();
        let counted = clauses.filter(|it| counts(&it.function));
        counted.map(|it| it.id).collect()
    }
}

impl Coverage {
    /// How much was reached of the functions that count.
    pub(crate) fn new(
        code: &ReachableCode,
        functions: &HashSet<FunctionNumber>,
        clauses: &HashSet<ClauseId>,
        counts: impl Fn(&FunctionNumber) -> bool,
    ) -> Self {
        let mut coverage = Self::default();
        for (number, _) in code.functions.iter().filter(|it| counts(&it.0)) {
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

    /// The same, with the names of what was reached.
    pub(crate) fn named(
        code: &ReachableCode,
        functions: &HashSet<FunctionNumber>,
        clauses: &HashSet<ClauseId>,
        counts: impl Fn(&FunctionNumber) -> bool,
    ) -> Self {
        let counted = code.functions.iter().filter(|it| counts(&it.0));
        let (reached, missed): (Vec<_>, Vec<_>) = counted.partition(|it| functions.contains(&it.0));
        let names = |numbered: Vec<&(FunctionNumber, String)>| {
            numbered.into_iter().map(|it| it.1.clone()).collect()
        };
        let counted = code.clauses.iter().filter(|it| counts(&it.function));
        let own = counted.filter(|it| clauses.contains(&it.id));
        let reached = ReachedNames {
            clauses: own.map(|it| it.place.clone()).collect(),
            functions: names(reached),
            missed_functions: names(missed),
        };
        Self {
            reached: Some(reached),
            ..Self::new(code, functions, clauses, counts)
        }
    }
}

struct ClauseWalk<'program> {
    module: &'program ProgramModule,
    folder: &'program CurrentFolder,
    number: FunctionNumber,
    function: &'program Function,
    /// How many cases of the source were met so far.
    cases: usize,
    clauses: &'program mut Vec<OwnClause>,
}

impl<'program> Visitor<'program> for ClauseWalk<'program> {
    fn function(&self) -> &'program Function {
        self.function
    }

    fn visit_statement(&mut self, statement: &'program Statement) {
        if let Operation::Case { clauses, .. } = &statement.operation {
            self.case(statement.site, clauses);
        }
        walk_statement(self, statement);
    }
}

impl ClauseWalk<'_> {
    fn case(&mut self, site: SiteId, clauses: &[Clause]) {
        let is_own = |it: &Annotations| !it.has("compiler_generated");
        if clauses.iter().any(|it| is_own(&it.annotations)) {
            self.cases += 1;
        }
        for (index, clause) in clauses.iter().enumerate() {
            if is_own(&clause.annotations) {
                let own = OwnClause {
                    id: (self.number.0, site, index),
                    function: self.number,
                    place: self.place(index, &clause.annotations),
                };
                self.clauses.push(own);
            }
        }
    }

    fn place(&self, index: usize, annotations: &Annotations) -> ClausePlace {
        let (module, function) = (&self.module.name, &self.function.id);
        ClausePlace {
            file: annotations.file().map(|it| self.folder.near(it)),
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
