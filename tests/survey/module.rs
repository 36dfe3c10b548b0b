//! One module: its functions, and what came of exploring them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use end_to_end::exploring::Explored;
use end_to_end::otp::Application;
use erlconcolic::front_end::FrontEnd;
use erlconcolic::specs::signatures;
use flattener::flat::{Function, FunctionId, FunctionRef, Module, Value};
use rayon::prelude::*;
use serde_json::Value as Json;

/// Lists of four elements, which are the default, are too short to be sorted in earnest.
const DEPTH: [&str; 2] = ["--term-depth", "8"];
const LIMITS: [&str; 6] = ["--max-runs", "200", "--timeout", "10", "--format", "json"];

/// What came of a module.
#[derive(Debug, Default)]
pub(crate) struct Surveyed {
    /// How many functions were explored.
    pub(crate) explored: usize,
    /// How many have a spec of which no input can be made.
    pub(crate) without_input: usize,
    pub(crate) findings: usize,
    /// How many clauses were reached, of how many that could be.
    pub(crate) covered: usize,
    pub(crate) reachable: usize,
    /// Those that were not, by function.
    pub(crate) missed: BTreeMap<String, Vec<String>>,
    pub(crate) problems: Vec<String>,
}

/// What the search of one function reached.
struct Reached {
    function: FunctionId,
    clauses: usize,
    missed: BTreeSet<String>,
    findings: usize,
}

impl Surveyed {
    pub(crate) fn new(tool: &Path, folder: &Path, application: &Application, name: &str) -> Self {
        let source = application.source(name);
        let mut surveyed = Self::default();
        fs::create_dir_all(folder).expect("the folder can be made");
        let build = folder.join("build");
        let made = Command::new(tool)
            .args([Path::new("instrument"), &source, Path::new("-o"), &build])
            .args(headers(application))
            .output()
            .expect("the tool can be started");
        assert!(made.status.success(), "{}: {made:?}", source.display());
        let front_end = application.front_end();
        let explored = Explored::compiled_by(&front_end, source.clone());
        let module = &explored.program.module(0).expect("there is one").flat;
        let mut functions = Vec::new();
        for function in with_spec(&front_end, module, &source) {
            match function {
                (function, true) => functions.push(function),
                (_, false) => surveyed.without_input += 1,
            }
        }
        let searches: Vec<Result<Reached, String>> = functions
            .par_iter()
            .with_max_len(1)
            .map(|function| {
                let mut command = Command::new(tool);
                command.current_dir(folder).args(["explore", "build"]);
                explore(command.args(headers(application)), name, function)
            })
            .collect();
        let mut reached = Vec::new();
        for search in searches {
            match search {
                Ok(search) => reached.push(search),
                Err(problem) => surveyed.problems.push(problem),
            }
        }
        surveyed.count(module, &reached);
        surveyed
    }

    fn count(&mut self, module: &Module, searches: &[Reached]) {
        self.explored = searches.len();
        self.findings = searches.iter().map(|it| it.findings).sum();
        let total = searches.iter().map(|it| it.clauses).max().unwrap_or(0);
        let mut missed = searches.iter().map(|it| it.missed.clone());
        let missed = missed.next().map(|first| {
            missed.fold(first, |all, more| {
                all.intersection(&more).cloned().collect()
            })
        });
        let missed = missed.unwrap_or_default();
        let entries = searches.iter().map(|it| it.function.clone()).collect();
        let called = called_from(module, entries);
        self.covered = total - missed.len();
        self.reachable = self.covered;
        for clause in &missed {
            let (_, clause) = clause.split_once(':').unwrap_or_default();
            let (function, clause) = clause.split_once('#').unwrap_or_default();
            if called.contains(function) {
                self.reachable += 1;
                let clauses = self.missed.entry(function.to_owned()).or_default();
                clauses.push(clause.to_owned());
            }
        }
    }
}

/// The exported functions that have a spec, and whether inputs can be made of it.
fn with_spec(front_end: &FrontEnd, module: &Module, source: &Path) -> Vec<(FunctionId, bool)> {
    let found = signatures(front_end, &module.exports, source, &[]);
    let found = found.expect("the specs can be read");
    let exports = module.exports.iter().zip(found);
    let with_spec = exports
        .filter_map(|(function, found)| Some((function.clone(), !found?.simplest().is_empty())));
    with_spec.collect()
}

/// Where the headers are that a module may include.
fn headers(application: &Application) -> impl Iterator<Item = &OsStr> {
    let folders = application.includes.iter();
    folders.flat_map(|folder| [OsStr::new("--include"), folder.as_os_str()])
}

/// Explores one function.
fn explore(command: &mut Command, module: &str, function: &FunctionId) -> Result<Reached, String> {
    let entry = format!("{module}:{}/{}", function.name, function.arity);
    let output = command
        .args(["--entry", &entry])
        .args(DEPTH)
        .args(LIMITS)
        .stdin(Stdio::null())
        .output()
        .expect("the tool can be started");
    let report: Json = serde_json::from_slice(&output.stdout).map_err(|error| {
        let messages = String::from_utf8_lossy(&output.stderr);
        format!("{entry}: {error}: {messages}")
    })?;
    let at = |pointer| report.pointer(pointer).unwrap_or(&Json::Null);
    if at("/stats/divergences") != 0 {
        return Err(format!("{entry}: {} divergences", at("/stats/divergences")));
    }
    for gap in list(at("/incomplete")) {
        let code = gap.get("code").and_then(Json::as_str);
        if matches!(code, Some("bad-log" | "unconfirmed")) {
            return Err(format!("{entry}: {gap}"));
        }
    }
    let clauses = at("/coverage/clauses/total").as_u64().unwrap_or(0);
    let missed = list(at("/coverage/missed")).iter();
    let missed = missed.filter_map(|it| Some(it.get("clause")?.as_str()?.to_owned()));
    Ok(Reached {
        function: function.clone(),
        clauses: usize::try_from(clauses).unwrap_or(0),
        missed: missed.collect(),
        findings: list(at("/findings")).len(),
    })
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The functions of a module that some of them call, or make funs of, and so on: `"name/arity"`.
fn called_from(module: &Module, mut waiting: Vec<FunctionId>) -> BTreeSet<String> {
    let mut called = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let found = module.functions.iter().find(|it| it.id == id);
        if let Some(function) = found
            && called.insert(format!("{}/{}", id.name, id.arity))
        {
            references(module, function, &mut waiting);
        }
    }
    called
}

fn references(module: &Module, function: &Function, found: &mut Vec<FunctionId>) {
    for block in &function.blocks {
        for statement in &block.statements {
            if let flattener::flat::Operation::Call {
                module: of,
                name,
                arguments,
            } = &statement.operation
                && of.as_literal().and_then(|it| it.as_atom()) == Some(module.name.as_str())
                && let Some(name) = name.as_literal().and_then(|it| it.as_atom())
            {
                found.push(FunctionId {
                    name: erlang_term::Atom::new(name),
                    arity: u32::try_from(arguments.len()).unwrap_or(0),
                });
            }
            for value in statement.operation.operands() {
                references_in(value, found);
            }
        }
        for value in &block.result {
            references_in(value, found);
        }
    }
}

fn references_in(value: &Value, found: &mut Vec<FunctionId>) {
    match value {
        Value::Function(function) => {
            if let FunctionRef::Module(id) = &**function {
                found.push(id.clone());
            }
        }
        Value::Cons(parts) => {
            references_in(&parts.0, found);
            references_in(&parts.1, found);
        }
        Value::Tuple(elements) => elements.iter().for_each(|it| references_in(it, found)),
        Value::Variable(_) | Value::Literal(_) => {}
    }
}
