//! Decisions in words: where they are, and the source text of the branch that was taken.

use flattener::ast::Annotations;
use flattener::flat::{Clause, Function, Operation, Pattern, SiteId, Statement, Value};
use trace_engine::explore::PathStep;
use trace_format::{Program, ProgramModule};

use super::page::{LinePage, StepPage};
use super::source_files::SourceFiles;
use crate::language::Language;
use crate::wording::Wording;

/// `m:f/1`, or `M.f/1` in Elixir.
fn function_name(module: &ProgramModule, function: &Function) -> String {
    let id = &function.id;
    let wording = Wording::in_language(Language::of(&module.name), None);
    wording.function(&format!("{}:{}/{}", module.name, id.name, id.arity))
}

/// The line of a site.
pub(super) fn site_line(
    program: &Program,
    files: &SourceFiles<'_>,
    module: usize,
    site: SiteId,
) -> Option<LinePage> {
    let (_, statement) = program.module(module)?.statement(site)?;
    files.place(&statement.annotations)
}

/// A step in words, without its condition.
pub(super) fn step_page(
    program: &Program,
    files: &mut SourceFiles<'_>,
    step: &PathStep,
) -> StepPage {
    let mut page = StepPage::default();
    let Some(module) = program.module(step.module as usize) else {
        return page;
    };
    let found = module.statement(step.site);
    let Some((function, statement)) =
        found.and_then(|(index, statement)| Some((module.function(index)?, statement)))
    else {
        return page;
    };
    page.function = function_name(module, function);
    page.place = files.place(&statement.annotations);
    let operation = &statement.operation;
    if let Some(chosen) = step.clause
        && let Operation::Case { clauses, .. } | Operation::Receive { clauses, .. } = operation
    {
        let chosen = chosen as usize;
        clause(&mut page, files, function, statement, clauses, chosen);
    } else {
        page.code = files.code_line(&statement.annotations).unwrap_or_default();
        let verb = if step.is_given {
            "passes this to"
        } else {
            "in"
        };
        page.what = format!("{verb} {}", name(operation));
    }
    page
}

fn is_own(clause: &Clause) -> bool {
    let annotations = &clause.annotations;
    !annotations.has("compiler_generated") && annotations.position().is_some_and(|it| it.0 > 0)
}

fn clause(
    page: &mut StepPage,
    files: &mut SourceFiles<'_>,
    function: &Function,
    statement: &Statement,
    clauses: &[Clause],
    chosen: usize,
) {
    let own = clauses.iter().take(chosen).filter(|it| is_own(it));
    let mut passed_over: Vec<(String, bool)> = own
        .filter_map(|clause| files.code(&clause.annotations))
        .collect();
    passed_over.retain(|it| it.1);
    page.passed_over = passed_over.into_iter().map(|it| it.0).collect();
    let is_added = |it: &&Clause| it.annotations.has("compiler_generated");
    let Some(clause) = clauses.get(chosen).filter(|it| !is_added(it)) else {
        let first = clauses.first().filter(|it| is_own(it));
        if is_choice_of_function(function, statement) && page.passed_over.len() >= chosen {
            page.code = format!("{}/{}", function.id.name, function.id.arity);
            page.what = "has no clause that matches".to_owned();
        } else {
            let code = first.and_then(|it| files.code(&it.annotations));
            let is_match = code.as_ref().is_some_and(|it| !it.1);
            page.code = match code {
                Some((code, _)) if is_match => code,
                _ => files.code_line(&statement.annotations).unwrap_or_default(),
            };
            page.what = if is_match {
                "does not match"
            } else {
                "no clause matches"
            }
            .to_owned();
        }
        return;
    };
    page.place = files.place(&clause.annotations).or(page.place.take());
    let (code, is_head) = match files.code(&clause.annotations) {
        Some(code) => code,
        // Core Erlang written by hand has no lines.
        None => (format!("clause {}", chosen + 1), true),
    };
    page.code = code;
    page.what = match truth(clause) {
        _ if is_head => "is chosen",
        Some(true) => "is true",
        Some(false) => "is false",
        None => "matches",
    }
    .to_owned();
}

/// Whether a statement chooses between the clauses of a function.
fn is_choice_of_function(function: &Function, statement: &Statement) -> bool {
    let first = function.block(function.fun.body).statements.first();
    let is_first = first.is_some_and(|it| it.site == statement.site);
    let line = |it: &Annotations| it.position();
    is_first && line(&statement.annotations) == line(&function.fun.annotations)
}

/// Whether the pattern of a clause is `true` or `false`.
fn truth(clause: &Clause) -> Option<bool> {
    let [Pattern::Literal(term)] = clause.patterns.as_slice() else {
        return None;
    };
    match term.as_atom()? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// The name of an operation.
fn name(operation: &Operation) -> String {
    let text = |value: &Value| value.as_literal().map(ToString::to_string);
    match operation {
        Operation::Call {
            module,
            name,
            arguments,
        } => match (text(module), text(name)) {
            (Some(module), Some(name)) => format!("{module}:{name}/{}", arguments.len()),
            _ => "a call with a computed name".to_owned(),
        },
        Operation::Primop { name, .. } => name.to_string(),
        Operation::Apply { .. } => "a call of a fun".to_owned(),
        Operation::Map { .. } => "a map expression".to_owned(),
        Operation::Binary(_) => "a bit string expression".to_owned(),
        Operation::Case { .. } => "a pattern".to_owned(),
        Operation::Receive { .. } => "a receive".to_owned(),
        Operation::Values(_)
        | Operation::Fun(_)
        | Operation::Letrec { .. }
        | Operation::Try { .. }
        | Operation::Catch(_) => "this".to_owned(),
    }
}
