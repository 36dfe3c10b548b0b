//! What the compiler noted about the lines of sources: where clauses and statements begin.

use std::collections::BTreeMap;

use flattener::ast::{Annotations, deep};
use flattener::flat::visit::{Visitor, walk_statement};
use flattener::flat::{Clause, Fun, Function, Operation, Statement, Value, is_made_by_elixir};
use trace_engine::Mark;
use trace_format::ProgramModule;

use crate::current_folder::CurrentFolder;

/// A place in the program: the number of its module, and a mark in it.
pub(crate) type Place = (usize, Mark);

/// What the compiler noted about the lines of a file.
#[derive(Debug, Default)]
pub(crate) struct NotedLines {
    /// By line number.
    lines: BTreeMap<u32, NotedLine>,
}

impl NotedLines {
    /// Adds what another module says about the same file.
    pub(crate) fn add(&mut self, more: Self) {
        for (number, line) in more.lines {
            let known = self.lines.entry(number).or_default();
            known.heads.extend(line.heads);
            known.statements.extend(line.statements);
        }
    }

    /// Adds a clause that begins on a line.
    pub(crate) fn add_head(&mut self, line: u32, head: Place) {
        self.lines.entry(line).or_default().heads.push(head);
    }

    /// What is noted about a line.
    pub(crate) fn line(&self, number: u32) -> Option<&NotedLine> {
        self.lines.get(&number)
    }
}

/// What the compiler noted about a line.
#[derive(Debug, Default)]
pub(crate) struct NotedLine {
    /// The clauses that begin on it.
    pub(crate) heads: Vec<Place>,
    /// The statements that begin on it, in the order of their sites.
    pub(crate) statements: Vec<StatementPlaces>,
}

/// The places where a statement begins and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatementPlaces {
    pub(crate) began: Place,
    pub(crate) ended: Place,
}

/// What the compiler noted about the files of a module, by the compiler's names for them.
pub(crate) fn noted_lines(
    number: usize,
    module: &ProgramModule,
    folder: &CurrentFolder,
) -> BTreeMap<String, NotedLines> {
    let mut files = BTreeMap::new();
    for (index, function) in module.flat.functions.iter().enumerate() {
        let id = &function.id;
        if id.name.as_str() == "module_info" || is_made_by_elixir(&module.flat, id) {
            continue;
        }
        let mut walk = LineWalk {
            number,
            index,
            function,
            folder,
            files: &mut files,
        };
        walk.fun(&function.fun, &function.name_annotations);
    }
    files
}

struct LineWalk<'page> {
    number: usize,
    index: usize,
    function: &'page Function,
    folder: &'page CurrentFolder,
    files: &'page mut BTreeMap<String, NotedLines>,
}

impl<'page> LineWalk<'page> {
    fn at(&mut self, annotations: &Annotations) -> Option<&mut NotedLine> {
        let (line, _) = annotations.position().filter(|it| it.0 > 0)?;
        let file = self.folder.near(annotations.file()?);
        let noted = self.files.entry(file).or_default();
        Some(noted.lines.entry(line).or_default())
    }

    /// The clauses of a function are those of a `case`. A function without one has a head too.
    fn fun(&mut self, fun: &'page Fun, name: &Annotations) {
        let head = (self.number, Mark::Block(self.index, fun.body));
        self.visit_fun(fun);
        let annotations = if fun.annotations.position().is_some() {
            &fun.annotations
        } else {
            name
        };
        if let Some(line) = self.at(annotations)
            && line.heads.is_empty()
        {
            line.heads.push(head);
        }
    }
}

impl<'page> Visitor<'page> for LineWalk<'page> {
    fn function(&self) -> &'page Function {
        self.function
    }

    fn visit_statement(&mut self, statement: &'page Statement) {
        if let Operation::Fun(fun) = &statement.operation {
            deep(|| self.fun(fun, &statement.annotations));
        } else {
            walk_statement(self, statement);
        }
        let places = StatementPlaces {
            began: (self.number, Mark::Began(statement.site)),
            ended: (self.number, Mark::Ended(statement.site)),
        };
        if is_noted(statement)
            && let Some(line) = self.at(&statement.annotations)
        {
            line.statements.push(places);
        }
    }

    fn visit_clause(&mut self, clause: &'page Clause) {
        if is_generated(&clause.annotations) {
            return;
        }
        let head = (self.number, Mark::Block(self.index, clause.body));
        if let Some(line) = self.at(&clause.annotations) {
            line.heads.push(head);
        }
        self.visit_block(clause.body);
    }

    /// Values have no lines.
    fn visit_value(&mut self, _: &'page Value) {}
}

/// Whether the line of a statement is its own: a `letrec` is the compiler's, and a choice between
/// clauses on the same line begins where its clauses begin.
fn is_noted(statement: &Statement) -> bool {
    let line = |it: &Annotations| it.position().map(|it| it.0);
    let own = line(&statement.annotations);
    let is_own = match &statement.operation {
        Operation::Case { clauses, .. } | Operation::Receive { clauses, .. } => {
            let mut written = clauses.iter().filter(|it| !is_generated(&it.annotations));
            written.all(|clause| line(&clause.annotations) != own)
        }
        Operation::Letrec { .. } => false,
        Operation::Fun(_)
        | Operation::Try { .. }
        | Operation::Catch(_)
        | Operation::Values(_)
        | Operation::Apply { .. }
        | Operation::Call { .. }
        | Operation::Primop { .. }
        | Operation::Map { .. }
        | Operation::Binary(_) => true,
    };
    is_own && !is_generated(&statement.annotations)
}

fn is_generated(annotations: &Annotations) -> bool {
    annotations.has("compiler_generated")
}
