//! Which places of the program belong to which line of a source.
//!
//! The compiler notes the lines of clauses and calls, but not of everything: `{ok, X}` after a call
//! is reached if the call returned, and the second line of a long call if the first line is. The
//! text tells the rest.

use std::collections::BTreeMap;

use flattener::ast::{Annotations, deep};
use flattener::flat::{BlockId, Fun, Function, Operation, Statement};
use trace_engine::Mark;
use trace_format::ProgramModule;

use super::erlang_tokens::{Token, TokenKind};
use crate::current_folder::CurrentFolder;

/// A place in the program: the number of its module, and a mark in it.
pub(crate) type Place = (usize, Mark);

/// What is known about a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// A run that reaches one of these reaches the line; none for lines without code.
    pub(crate) places: Vec<Place>,
    /// The clauses that begin here.
    pub(crate) heads: Vec<Place>,
    pub(crate) is_code: bool,
}

/// What the compiler noted about the lines of a file.
#[derive(Debug, Default)]
pub(crate) struct NotedLines {
    /// By line: clauses that begin there, and statements in the order of their sites.
    lines: BTreeMap<u32, (Vec<Place>, Vec<StatementPlaces>)>,
}

impl NotedLines {
    /// Adds what another module says about the same file.
    pub(crate) fn add(&mut self, more: Self) {
        for (line, (heads, statements)) in more.lines {
            let known = self.lines.entry(line).or_default();
            known.0.extend(heads);
            known.1.extend(statements);
        }
    }
}

/// The places where a statement begins and ends.
#[derive(Clone, Copy, Debug)]
struct StatementPlaces {
    began: Place,
    ended: Place,
}

/// What the compiler noted about the files of a module, by the compiler's names for them.
pub(crate) fn noted_lines(
    number: usize,
    module: &ProgramModule,
    folder: &CurrentFolder,
) -> BTreeMap<String, NotedLines> {
    let mut files = BTreeMap::new();
    for (index, function) in module.flat.functions.iter().enumerate() {
        if function.id.name.as_str() == "module_info" {
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

impl LineWalk<'_> {
    fn at(&mut self, annotations: &Annotations) -> Option<&mut (Vec<Place>, Vec<StatementPlaces>)> {
        let (line, _) = annotations.position().filter(|it| it.0 > 0)?;
        let file = self.folder.near(annotations.file()?);
        let noted = self.files.entry(file).or_default();
        Some(noted.lines.entry(line).or_default())
    }

    /// The clauses of a function are those of a `case`. A function without one has a head too.
    fn fun(&mut self, fun: &Fun, name: &Annotations) {
        let head = (self.number, Mark::Block(self.index, fun.body));
        self.block(fun.body);
        let annotations = if fun.annotations.position().is_some() {
            &fun.annotations
        } else {
            name
        };
        if let Some((heads, _)) = self.at(annotations)
            && heads.is_empty()
        {
            heads.push(head);
        }
    }

    fn block(&mut self, id: BlockId) {
        let function = self.function;
        for statement in &function.block(id).statements {
            deep(|| self.statement(statement));
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let site = statement.site;
        let mut is_noted = true;
        match &statement.operation {
            Operation::Case { clauses, .. } | Operation::Receive { clauses, .. } => {
                let line = |it: &Annotations| it.position().map(|it| it.0);
                let own = line(&statement.annotations);
                for clause in clauses {
                    if clause.annotations.has("compiler_generated") {
                        continue;
                    }
                    is_noted &= line(&clause.annotations) != own;
                    let head = (self.number, Mark::Block(self.index, clause.body));
                    if let Some((heads, _)) = self.at(&clause.annotations) {
                        heads.push(head);
                    }
                    self.block(clause.body);
                }
                if let Operation::Receive { action, .. } = &statement.operation {
                    self.block(*action);
                }
            }
            Operation::Fun(fun) => {
                self.fun(fun, &statement.annotations);
            }
            Operation::Letrec { definitions, body } => {
                is_noted = false;
                for local in definitions {
                    self.block(local.fun.body);
                }
                self.block(*body);
            }
            Operation::Try { .. } | Operation::Catch(_) => {
                for block in statement.operation.own_blocks() {
                    self.block(block);
                }
            }
            Operation::Values(_)
            | Operation::Apply { .. }
            | Operation::Call { .. }
            | Operation::Primop { .. }
            | Operation::Map { .. }
            | Operation::Binary(_) => {}
        }
        let place = |mark| (self.number, mark);
        let statements = StatementPlaces {
            began: place(Mark::Began(site)),
            ended: place(Mark::Ended(site)),
        };
        if is_noted
            && !statement.annotations.has("compiler_generated")
            && let Some((_, noted)) = self.at(&statement.annotations)
        {
            noted.push(statements);
        }
    }
}

/// The lines of a text, with their places.
pub(crate) fn lines(text: &str, tokens: &[Token], noted: &NotedLines) -> Vec<Line> {
    let mut lines = vec![Line::default(); text.lines().count()];
    let mut filling = Filling::default();
    let mut tokens = tokens
        .iter()
        .filter(|token| token.kind != TokenKind::Comment)
        .peekable();
    let mut end = 0;
    for (index, (line, content)) in lines.iter_mut().zip(text.split('\n')).enumerate() {
        end += content.len() + 1;
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut words: Vec<(TokenKind, &str)> = Vec::new();
        while let Some(token) = tokens.next_if(|token| token.start < end) {
            let word = text.get(token.start..token.end).unwrap_or_default();
            words.push((token.kind, word));
        }
        filling.line(line, &words, noted.lines.get(&number));
    }
    lines
}

/// Follows the text line by line, to find the places of lines that the compiler did not note.
#[derive(Debug, Default)]
struct Filling {
    /// Whether a form has begun, and whether it is an attribute.
    form: Option<bool>,
    /// The brackets and keywords that are open, with their places.
    open: Vec<Opened>,
    /// The places of the line before.
    before: Vec<Place>,
    /// The places that are reached when the expression on the line before has its value.
    after: Option<Vec<Place>>,
    /// Whether the next line begins an expression.
    is_new: bool,
    /// The places of the last clause head.
    head: Vec<Place>,
    ends_with_arrow: bool,
}

#[derive(Clone, Debug)]
struct Opened {
    is_bracket: bool,
    places: Vec<Place>,
    after: Option<Vec<Place>>,
}

impl Filling {
    fn line(
        &mut self,
        line: &mut Line,
        words: &[(TokenKind, &str)],
        noted: Option<&(Vec<Place>, Vec<StatementPlaces>)>,
    ) {
        let Some((_, first)) = words.first() else {
            return;
        };
        let is_attribute = *self.form.get_or_insert(*first == "-");
        if !is_attribute {
            line.is_code = true;
            self.reached(line, first, noted);
        }
        self.read(words, line);
    }

    fn reached(
        &mut self,
        line: &mut Line,
        first: &str,
        noted: Option<&(Vec<Place>, Vec<StatementPlaces>)>,
    ) {
        let is_inside = self.open.last().is_some_and(|it| it.is_bracket);
        let begins = self.is_new && !is_inside;
        if let Some((heads, statements)) = noted {
            line.heads.clone_from(heads);
            line.places.clone_from(heads);
            line.places.extend(statements.iter().map(|it| it.began));
            if !heads.is_empty() {
                self.head.clone_from(heads);
            }
            let ended = statements.last().map(|it| vec![it.ended]);
            if begins || self.after.is_none() || !heads.is_empty() {
                self.after = ended;
            }
        } else if matches!(first, "end" | "of" | "catch" | "after" | "else") && !is_inside {
            // The line belongs to the expression that it ends or divides.
            if let Some(opened) = self.open.last() {
                line.places.clone_from(&opened.places);
            }
            self.after = None;
        } else if begins {
            line.places = if self.ends_with_arrow {
                self.head.clone()
            } else {
                self.after.take().unwrap_or_else(|| self.before.clone())
            };
            self.after = None;
        } else {
            line.places.clone_from(&self.before);
        }
        self.before.clone_from(&line.places);
    }

    /// Follows brackets and keywords up to the end of the line.
    fn read(&mut self, words: &[(TokenKind, &str)], line: &Line) {
        for (index, (kind, word)) in words.iter().enumerate() {
            match kind {
                TokenKind::Sign => self.read_sign(word, line),
                TokenKind::Keyword => {
                    let next = words.get(index + 1..).unwrap_or_default();
                    self.read_keyword(word, next, line);
                }
                TokenKind::Dot => {
                    *self = Self::default();
                    return;
                }
                TokenKind::Comment
                | TokenKind::Quoted
                | TokenKind::Variable
                | TokenKind::Number
                | TokenKind::Macro
                | TokenKind::Atom => {}
            }
        }
        let previous = words.last().map_or("", |it| it.1);
        self.ends_with_arrow = previous == "->";
        self.is_new = matches!(
            previous,
            "," | "->" | ";" | "of" | "begin" | "try" | "after"
        );
    }

    fn read_sign(&mut self, sign: &str, line: &Line) {
        match sign {
            "(" | "[" | "{" | "<<" => self.open(true, line),
            ")" | "]" | "}" | ">>" => self.close(),
            _ => {}
        }
    }

    fn read_keyword(&mut self, keyword: &str, next: &[(TokenKind, &str)], line: &Line) {
        match keyword {
            "begin" | "case" | "if" | "maybe" | "receive" | "try" => self.open(false, line),
            // `fun (X) -> … end`, but not `fun f/1` or `fun m:f/1`.
            "fun" if next.iter().take(2).any(|it| it.1 == "(") => self.open(false, line),
            "end" => self.close(),
            _ => {}
        }
    }

    fn close(&mut self) {
        if let Some(closed) = self.open.pop()
            && !closed.is_bracket
        {
            self.after = closed.after;
        }
    }

    fn open(&mut self, is_bracket: bool, line: &Line) {
        self.open.push(Opened {
            is_bracket,
            places: line.places.clone(),
            after: self.after.clone(),
        });
    }
}
