//! What a decision is called: where it is, and the source text of what was chosen there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use flattener::ast::Annotations;
use flattener::flat::{Clause, Function, Operation, Pattern, SiteId, Statement, Value};
use trace_engine::explore::PathStep;
use trace_format::{Program, ProgramModule};

use crate::near_path::near;
use crate::plain_file::read_source;

use super::erlang::fragment;
use super::{LinePage, StepPage};

/// Source texts are shown up to so many characters.
const LONGEST_CODE: usize = 140;

/// Texts of files by the names that the compiler gives them.
#[derive(Debug, Default)]
pub(super) struct Files {
    texts: HashMap<String, Option<String>>,
    /// Where the user's files are; the compiler may know them by other names.
    paths: Vec<PathBuf>,
    /// The files whose sources are shown, in order.
    shown: Vec<String>,
}

impl Files {
    pub(super) fn new(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            ..Self::default()
        }
    }

    /// The text of a file; `None` if it is gone or no text.
    pub(super) fn text(&mut self, name: &str) -> Option<&str> {
        let paths = &self.paths;
        let text = self.texts.entry(name.to_owned()).or_insert_with(|| {
            let read = |path: &Path| read_source(path).ok();
            let same_name = |path: &&PathBuf| path.file_name() == Path::new(name).file_name();
            let other = || paths.iter().find(same_name).and_then(|path| read(path));
            read(Path::new(name)).or_else(other)
        });
        text.as_deref()
    }

    /// Says which files are shown.
    pub(super) fn show(&mut self, names: Vec<String>) {
        self.shown = names;
    }

    /// A line of a file. Files that are not shown are named without their folders.
    pub(super) fn line(&self, name: &str, line: u32) -> LinePage {
        let source = self.number(name);
        let short = Path::new(name).file_name();
        let short = short.map_or(name.into(), |it| it.to_string_lossy());
        let shown = source.and_then(|number| self.shown.get(number));
        LinePage {
            source,
            line,
            text: format!("{}:{line}", shown.map_or(&*short, String::as_str)),
        }
    }

    /// The number of a file that is shown. Stacks may have its name without its folder.
    fn number(&self, name: &str) -> Option<usize> {
        let exact = self.shown.iter().position(|it| it == name);
        exact.or_else(|| {
            let shown = self.shown.iter().enumerate();
            let mut same = shown.filter(|it| Path::new(it.1).ends_with(name));
            let first = same.next().map(|it| it.0);
            first.filter(|_| same.next().is_none())
        })
    }

    fn place(&self, annotations: &Annotations) -> Option<LinePage> {
        let (line, _) = annotations.position().filter(|it| it.0 > 0)?;
        Some(self.line(&near(annotations.file()?), line))
    }

    /// What stands at a place, and whether it is a clause head.
    fn code(&mut self, annotations: &Annotations) -> Option<(String, bool)> {
        let (line, column) = annotations.position().filter(|it| it.0 > 0)?;
        let text = self.text(&near(annotations.file()?))?;
        let (start, content) = line_of(text, line)?;
        let skipped = content.chars().take(column.saturating_sub(1) as usize);
        let start = start + skipped.map(char::len_utf8).sum::<usize>();
        Some(fragment(text, start, LONGEST_CODE))
    }

    /// The whole line at a place.
    fn code_line(&mut self, annotations: &Annotations) -> Option<String> {
        let (line, _) = annotations.position().filter(|it| it.0 > 0)?;
        let text = self.text(&near(annotations.file()?))?;
        let (_, content) = line_of(text, line)?;
        Some(content.trim().chars().take(LONGEST_CODE).collect())
    }
}

/// Where a line begins, and what it is.
fn line_of(text: &str, line: u32) -> Option<(usize, &str)> {
    let mut start = 0;
    for (number, content) in (1_u32..).zip(text.split_inclusive('\n')) {
        if number == line {
            return Some((start, content.trim_end_matches(['\n', '\r'])));
        }
        start += content.len();
    }
    None
}

/// `m:f/1`.
fn function_name(module: &ProgramModule, function: &Function) -> String {
    let id = &function.id;
    format!("{}:{}/{}", module.name, id.name, id.arity)
}

/// Where a site is.
pub(super) fn site_line(
    program: &Program,
    files: &Files,
    module: usize,
    site: SiteId,
) -> Option<LinePage> {
    let (_, statement) = program.module(module)?.statement(site)?;
    files.place(&statement.annotations)
}

/// What a step is called, without its condition.
pub(super) fn step(program: &Program, files: &mut Files, step: &PathStep) -> StepPage {
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
    match (step.clause, &statement.operation) {
        (Some(chosen), Operation::Case { clauses, .. } | Operation::Receive { clauses, .. }) => {
            clause(
                &mut page,
                files,
                function,
                statement,
                clauses,
                chosen as usize,
            )
        }
        _ => {
            page.code = files.code_line(&statement.annotations).unwrap_or_default();
            page.what = if step.is_given {
                format!("gives this to {}", name(&statement.operation))
            } else {
                format!("in {}", name(&statement.operation))
            };
        }
    }
    page
}

fn is_own(clause: &Clause) -> bool {
    let annotations = &clause.annotations;
    !annotations.has("compiler_generated") && annotations.position().is_some_and(|it| it.0 > 0)
}

fn clause(
    page: &mut StepPage,
    files: &mut Files,
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
        // Core Erlang that somebody wrote has no lines.
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

/// Whether a statement chooses among the clauses of a function.
fn is_choice_of_function(function: &Function, statement: &Statement) -> bool {
    let first = function.block(function.fun.body).statements.first();
    let is_first = first.is_some_and(|it| it.site == statement.site);
    let line = |it: &Annotations| it.position();
    is_first && line(&statement.annotations) == line(&function.fun.annotations)
}

/// Whether a clause is for `true` or for `false`.
fn truth(clause: &Clause) -> Option<bool> {
    match clause.patterns.as_slice() {
        [Pattern::Literal(term)] => match term.as_atom() {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// What an operation is called.
fn name(operation: &Operation) -> String {
    let text = |value: &Value| value.as_literal().map(ToString::to_string);
    match operation {
        Operation::Call {
            module,
            name,
            arguments,
        } => match (text(module), text(name)) {
            (Some(module), Some(name)) => format!("{module}:{name}/{}", arguments.len()),
            _ => "a computed call".to_owned(),
        },
        Operation::Primop { name, .. } => name.to_string(),
        Operation::Apply { .. } => "a call of a fun".to_owned(),
        Operation::Map { .. } => "a map that is made or changed".to_owned(),
        Operation::Binary(_) => "a bit string that is made".to_owned(),
        Operation::Case { .. } => "a pattern".to_owned(),
        Operation::Receive { .. } => "a receive".to_owned(),
        Operation::Values(_)
        | Operation::Fun(_)
        | Operation::Letrec { .. }
        | Operation::Try { .. }
        | Operation::Catch(_) => "this".to_owned(),
    }
}

/// The names of a function's parameters in its source; `Arg1` and so on where they have none.
pub(super) fn parameter_names(function: &Function) -> Vec<String> {
    let parameters = &function.fun.parameters;
    let named = |variable: &flattener::flat::VarId| {
        let name = function.variable(*variable).name.as_str();
        let is_own = name.starts_with(char::is_uppercase) && !name.contains('@');
        is_own.then(|| name.to_owned())
    };
    let first = function.block(function.fun.body).statements.first();
    let clauses = first.and_then(|statement| match &statement.operation {
        Operation::Case { arguments, clauses } => {
            let same = |it: (&Value, _)| matches!(it.0, Value::Variable(value) if value == it.1);
            let all = arguments.iter().zip(parameters).all(same);
            (all && arguments.len() == parameters.len()).then_some(clauses.as_slice())
        }
        Operation::Values(_)
        | Operation::Apply { .. }
        | Operation::Call { .. }
        | Operation::Primop { .. }
        | Operation::Map { .. }
        | Operation::Binary(_)
        | Operation::Fun(_)
        | Operation::Letrec { .. }
        | Operation::Try { .. }
        | Operation::Catch(_)
        | Operation::Receive { .. } => None,
    });
    let mut names: Vec<String> = Vec::with_capacity(parameters.len());
    for (number, parameter) in parameters.iter().enumerate() {
        let mut patterns = clauses.unwrap_or_default().iter().filter_map(|clause| {
            match clause.patterns.get(number)? {
                Pattern::Variable(variable) => named(variable),
                Pattern::Alias(parts) => named(&parts.0),
                Pattern::Literal(_)
                | Pattern::Cons(_)
                | Pattern::Tuple(_)
                | Pattern::Map(_)
                | Pattern::Binary(_) => None,
            }
        });
        let name = named(parameter).or_else(|| patterns.next());
        let name = name.filter(|name| !names.contains(name));
        names.push(name.unwrap_or_else(|| format!("Arg{}", number + 1)));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_without_its_folder_if_there_is_only_one() {
        let mut files = Files::default();
        files.show(vec![
            "a/m.erl".to_owned(),
            "b/m.erl".to_owned(),
            "b/n.erl".to_owned(),
        ]);
        assert_eq!(files.line("b/m.erl", 3).source, Some(1));
        assert_eq!(files.line("n.erl", 3).source, Some(2));
        assert_eq!(files.line("n.erl", 3).text, "b/n.erl:3");
        assert_eq!(files.line("m.erl", 3).source, None);
        assert_eq!(files.line("x/other.erl", 3).text, "other.erl:3");
    }
}
