//! Where a run crashed in the user's code, and what it called there.

use std::collections::BTreeSet;

use flattener::ast::Annotations;
use flattener::flat::{Function, Operation, Statement};
use trace_engine::{ChosenClause, PlayMark};
use trace_format::ProgramModule;

use crate::callees::FunctionNumber;
use crate::entry::Entry;
use crate::explored_code::ExploredCode;
use crate::machine::ending_clause;
use crate::outcome::{Outcome, StackEntry};

/// A place in the user's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashSite {
    /// The function, `m:f/1`.
    pub function: String,
    /// Its source; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: i64,
    /// The function of others that was called there and raised.
    pub callee: Option<String>,
}

impl CrashSite {
    /// The innermost function of the user that is on the stack. A call in tail position leaves no
    /// trace on the stack: then it is the only such call that there is, or else the entry.
    ///
    /// A machine may end because of what a callback returned. Then it is the clause that did so, given
    /// what the play told.
    pub(crate) fn new(
        code: &ExploredCode<'_>,
        entry: &Entry,
        outcome: &Outcome,
        marks: impl FnOnce() -> Vec<PlayMark>,
    ) -> Option<Self> {
        let stack = outcome.stack();
        match outcome.crash_site() {
            Some(own) if own.is_own => Some(Self::on_stack(code, own, outcome.crashing_callee())),
            _ if entry.behaviour().is_some() => Self::of_clause(code, ending_clause(&marks())?),
            found => {
                let called = stack.last().or(found)?;
                let site = Self::of_tail_call(code, entry, called);
                let site = site.or_else(|| Self::of_entry(code, entry, called));
                site.or_else(|| found.map(|it| Self::from_frame(it, None)))
            }
        }
    }

    fn from_frame(frame: &StackEntry, callee: Option<String>) -> Self {
        Self {
            function: frame.function.clone(),
            file: frame.file.clone(),
            line: frame.line,
            callee,
        }
    }

    fn on_stack(code: &ExploredCode<'_>, own: &StackEntry, callee: Option<&StackEntry>) -> Self {
        let callee = callee.map(|callee| {
            let module = code
                .modules()
                .find(|it| it.name.to_string() == own.module());
            let statements = module.into_iter().flat_map(|it| it.flat.statements());
            let there = statements.filter(|it| line(&it.annotations) == own.line);
            let mut named = there.filter_map(|it| callee_named(&it.operation, callee));
            named.next().unwrap_or_else(|| callee.function.clone())
        });
        Self::from_frame(own, callee)
    }

    fn of_tail_call(code: &ExploredCode<'_>, entry: &Entry, called: &StackEntry) -> Option<Self> {
        let mut functions: Vec<FunctionNumber> = code.callees_of(entry).into_iter().collect();
        functions.sort_unstable();
        let functions = functions.into_iter().filter_map(|(number, index)| {
            let module = code.program.module(number)?;
            Some((module, module.function(index)?))
        });
        let functions: Vec<(&ProgramModule, &Function)> = functions.collect();
        let sites = |callee: &dyn Fn(&Operation) -> Option<String>| {
            let mut sites = Vec::new();
            for (module, function) in &functions {
                for statement in tail_statements(function) {
                    let callee = callee(&statement.operation);
                    sites.extend(callee.map(|it| {
                        Self::of_statement(code, module, function, &statement.annotations, it)
                    }));
                }
            }
            sites
        };
        let same_name = |operation: &Operation| callee_named(operation, called);
        let same_module = |operation: &Operation| {
            let (module, function) = operation.remote_callee()?;
            let is_same = module.to_string() == called.module();
            is_same.then(|| format!("{module}:{}/{}", function.name, function.arity))
        };
        only(sites(&same_name)).or_else(|| only(sites(&same_module)))
    }

    fn of_statement(
        code: &ExploredCode<'_>,
        module: &ProgramModule,
        function: &Function,
        annotations: &Annotations,
        callee: String,
    ) -> Self {
        let id = &function.id;
        Self {
            function: format!("{}:{}/{}", module.name, id.name, id.arity),
            file: file(code, annotations),
            line: line(annotations),
            callee: Some(callee),
        }
    }

    /// A clause that was chosen.
    fn of_clause(code: &ExploredCode<'_>, clause: ChosenClause) -> Option<Self> {
        let (module, site, index) = clause;
        let module = code.program.module(module)?;
        let (function, statement) = module.statement(site)?;
        let Operation::Case { clauses, .. } = &statement.operation else {
            return None;
        };
        let own = clauses.get(index).map(|it| &it.annotations);
        let annotations = own.filter(|it| line(it) > 0);
        let annotations = annotations.unwrap_or(&statement.annotations);
        let id = &module.function(function)?.id;
        Some(Self {
            function: format!("{}:{}/{}", module.name, id.name, id.arity),
            file: file(code, annotations),
            line: line(annotations),
            callee: None,
        })
    }

    fn of_entry(code: &ExploredCode<'_>, entry: &Entry, called: &StackEntry) -> Option<Self> {
        let (number, index) = code.program.exported(&entry.module, &entry.function)?;
        let module = code.program.module(number)?;
        let function = module.function(index)?;
        let (annotations, callee) = (&function.fun.annotations, called.function.clone());
        let site = Self::of_statement(code, module, function, annotations, callee);
        (site.line > 0).then_some(site)
    }
}

fn file(code: &ExploredCode<'_>, annotations: &Annotations) -> String {
    let file = annotations.file();
    file.map_or_else(String::new, |it| code.folder.near(it))
}

fn line(annotations: &Annotations) -> i64 {
    annotations.position().map_or(0, |it| i64::from(it.0))
}

/// The function that an operation calls, if it has the module and name of one on the stack. The
/// arity may differ: `lists:sum/1` calls `lists:sum/2` in tail position.
fn callee_named(operation: &Operation, wanted: &StackEntry) -> Option<String> {
    let (module, function) = operation.remote_callee()?;
    let name = format!("{module}:{}/", function.name);
    let is_same = wanted.function.strip_prefix(&name);
    let is_same = is_same.is_some_and(|it| it.parse::<u32>().is_ok());
    is_same.then(|| format!("{name}{}", function.arity))
}

/// The statements that may be in tail position.
fn tail_statements(function: &Function) -> impl Iterator<Item = &Statement> {
    let blocks = function.blocks.iter();
    let blocks = blocks.filter(|it| it.ends_in_tail_position());
    blocks.filter_map(|it| it.statements.last())
}

/// The first site, if all are in the same place.
fn only(sites: Vec<CrashSite>) -> Option<CrashSite> {
    let places = sites.iter().map(|it| (&it.file, it.line));
    let is_only = places.collect::<BTreeSet<_>>().len() == 1;
    sites.into_iter().next().filter(|it| is_only && it.line > 0)
}
