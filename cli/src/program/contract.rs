//! Pre- and postconditions: functions of the user that choose inputs and check results.
//!
//! They become a wrapper around the entry, in a module of its own. It is instrumented and explored
//! like the rest of the program, so the search finds inputs that fulfil a precondition by following
//! it, like `repOk` in CUTE.

use std::path::Path;

use diagnostic::Diagnostic;
use erlang_term::Atom;
use flattener::flat::{FunctionId, Module};
use reports::{BROKEN_POSTCONDITION, Entry, Outcome, REJECTED_INPUT, StackEntry};

use crate::beam::{Beam, BeamError, Effort};
use crate::failure::Failure;
use crate::program::core_names::{call, quoted};
use crate::program::entry::find_entry;
use crate::program::library_code::flat_module;
use crate::program::renaming::Renaming;
use crate::sources::front_end::FrontEnd;

/// The module of the wrapper.
const MODULE: &str = "erlconcolic_contract";

/// The conditions that the user named.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Conditions<'options> {
    pub(crate) before: Option<&'options str>,
    pub(crate) after: Option<&'options str>,
}

impl Conditions<'_> {
    /// Whether there are any.
    pub(crate) fn is_some(&self) -> bool {
        self.before.is_some() || self.after.is_some()
    }
}

/// An entry with its conditions.
#[derive(Debug)]
pub(crate) struct Contract {
    entry: Entry,
    before: Option<Entry>,
    after: Option<Entry>,
    /// The place of the entry.
    place: StackEntry,
}

impl Contract {
    /// Finds the conditions in the user's modules; `None` if there are none.
    pub(crate) fn find(
        conditions: Conditions<'_>,
        entry: &Entry,
        modules: &[Module],
    ) -> Result<Option<Self>, Failure> {
        let arity = entry.function.arity;
        let find = |option: &str, text: Option<&str>, wanted: &[u32], takes: &str| {
            let Some(text) = text else { return Ok(None) };
            let found = find_entry(option, text, modules)?;
            if !wanted.contains(&found.function.arity) {
                let title = format!("{option} {text} has the wrong number of arguments");
                let help = format!("it takes {takes}");
                return Err(Failure::from(
                    Diagnostic::error("bad-condition", title).help(help),
                ));
            }
            Ok(Some(found))
        };
        let takes = format!("the arguments of the entry: {arity}");
        let before = find("--pre", conditions.before, &[arity], &takes)?;
        let more = arity + 1;
        let takes =
            format!("the arguments of the entry and its result: {more}, or the result alone: 1");
        let after = find("--post", conditions.after, &[more, 1], &takes)?;
        if before.is_none() && after.is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            place: place(entry, modules),
            entry: entry.clone(),
            before,
            after,
        }))
    }

    /// The wrapper, which is run instead of the entry.
    pub(crate) fn start(&self) -> Entry {
        Entry::new(
            Atom::new(MODULE),
            FunctionId {
                name: Atom::new("run"),
                arity: self.entry.function.arity,
            },
        )
    }

    /// The module of the wrapper, as Core Erlang.
    pub(crate) fn core(&self) -> String {
        let arity = self.entry.function.arity;
        let names: Vec<String> = (1..=arity).map(|number| format!("A{number}")).collect();
        let arguments = names.join(",");
        let mut body = format!(
            "let <R> = {} in {}",
            call(&self.entry, &names),
            self.check()
        );
        if let Some(before) = &self.before {
            let call = call(before, &names);
            body = format!(
                "case try {call} of <B> -> B catch <C,E,T> -> 'false' of \
                 <'true'> when 'true' -> {body} \
                 <_> when 'true' -> call 'erlang':'exit'('{REJECTED_INPUT}') end"
            );
        }
        format!(
            "module '{MODULE}' ['run'/{arity}] attributes []\n\
             'run'/{arity} = fun ({arguments}) -> {body}\nend\n"
        )
    }

    /// The check of the result `R`.
    fn check(&self) -> String {
        let Some(after) = &self.after else {
            return "R".to_owned();
        };
        let Entry {
            module, function, ..
        } = after;
        let FunctionId { name, arity } = function;
        let arguments: Vec<String> = if *arity == 1 {
            vec!["R".to_owned()]
        } else {
            let own = (1..*arity).map(|number| format!("A{number}"));
            own.chain(["R".to_owned()]).collect()
        };
        let call = call(after, &arguments);
        let (module, name) = (quoted(module), quoted(name));
        format!(
            "case {call} of \
             <'false'> when 'true' -> \
             call 'erlang':'error'({{'{BROKEN_POSTCONDITION}',{{{module},{name},{arity}}},R}}) \
             <_> when 'true' -> R end"
        )
    }

    /// The same in flat form.
    pub(crate) fn flat(&self) -> Result<Module, Failure> {
        flat_module(&self.start().module, &self.core())
    }

    /// The module of the wrapper, compiled without instrumentation.
    pub(crate) fn beam(&self, front_end: &FrontEnd, renaming: &Renaming) -> Result<Beam, Failure> {
        original_beam(front_end, renaming, MODULE, &self.core())
    }

    /// Removes the wrapper from an outcome. A broken postcondition is reported at the entry.
    pub(crate) fn tidy(&self, outcome: &mut Outcome) {
        let is_broken = outcome.breaks_postcondition();
        if let Outcome::Exception { stack, .. } = outcome {
            stack.retain(|entry| !entry.function.starts_with(MODULE));
            if stack.is_empty() && is_broken {
                stack.push(self.place.clone());
            }
        }
    }

    /// The postcondition.
    pub(crate) fn postcondition(&self) -> Option<&Entry> {
        self.after.as_ref()
    }
}

/// The module of a wrapper, given as Core Erlang, compiled without instrumentation.
pub(crate) fn original_beam(
    front_end: &FrontEnd,
    renaming: &Renaming,
    module: &str,
    text: &str,
) -> Result<Beam, Failure> {
    let code = if renaming.is_empty() {
        let compiled = front_end.compile_core(text, Effort::Usual)?;
        compiled.map_err(|messages| BeamError::refused("a contract", messages))?
    } else {
        let path = Path::new(module);
        front_end.compile_renamed(path, text, &renaming.renamings())?
    };
    let name = Atom::new(module);
    Ok(Beam { name, code })
}

/// Where a function is.
pub(crate) fn place(entry: &Entry, modules: &[Module]) -> StackEntry {
    let Entry {
        module, function, ..
    } = entry;
    let mut functions = modules
        .iter()
        .filter(|candidate| candidate.name == *module)
        .flat_map(|module| &module.functions);
    let found = functions.find(|candidate| candidate.id == *function);
    let annotations = found.map(|function| &function.fun.annotations);
    StackEntry {
        function: format!("{module}:{}/{}", function.name, function.arity),
        file: annotations.and_then(|it| it.file()).unwrap_or_default(),
        line: annotations
            .and_then(|it| it.position())
            .map_or(0, |it| i64::from(it.0)),
        is_own: true,
    }
}
