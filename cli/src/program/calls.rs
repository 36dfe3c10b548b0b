//! Sequences of calls of a module's functions.
//!
//! The input is a sequence of calls. A wrapper, in a module of its own, calls the functions one after
//! the other and gives what one made to later ones. It is instrumented like the rest of the program;
//! without instrumentation the same wrapper calls the original functions.

use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use erlang_term::{Atom, Term};
use flattener::flat::{FunctionId, Module};
use reports::{Entry, EntryKind, shown_module};

use crate::beam::{Beam, BeamError, Effort};
use crate::failure::Failure;
use crate::program::call_code::{CallPlay, common_functions};
use crate::program::call_types::sequence_spec;
use crate::program::callable::Callables;
use crate::program::effects::has_effects;
use crate::program::entry::find_entry;
use crate::program::named_calls::NamedCall;
use crate::program::needed_calls::NeededCalls;
use crate::program::renaming::Renaming;
use crate::sources::call_specs::{CallSpecs, call_specs};
use crate::sources::front_end::FrontEnd;
use crate::sources::specs::{OpaqueTypes, Spec};

/// The module of the wrappers.
pub(crate) const MODULE: &str = "erlconcolic_calls";

/// The options of the user.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallOptions<'options> {
    /// How many calls there are at most.
    pub(crate) length: usize,
    /// Asked of what calls make.
    pub(crate) invariant: Option<&'options str>,
    /// How specs are read.
    pub(crate) opaque: OpaqueTypes,
    /// Whether sequences are played that no search would make.
    pub(crate) plays_all: bool,
}

/// The modules whose functions are called in a row.
#[derive(Debug, Default)]
pub(crate) struct CallSequences {
    /// Wrapper `run_0` plays the first one.
    modules: Vec<CalledModule>,
    length: usize,
    invariant: Option<Entry>,
}

#[derive(Debug)]
struct CalledModule {
    entry: Entry,
    callables: Callables,
    spec: Spec,
    needed: NeededCalls,
    /// The types of values that the invariant is asked of.
    asked: Vec<usize>,
}

impl CallSequences {
    /// Those among some entries.
    pub(crate) fn find<'entries>(
        entries: impl IntoIterator<Item = &'entries Entry>,
        options: CallOptions<'_>,
        modules: &[Module],
        files: &[(Atom, PathBuf)],
        front_end: &FrontEnd,
    ) -> Result<Self, Failure> {
        let entries = entries.into_iter().filter(|it| it.kind == EntryKind::Calls);
        let entries: Vec<&Entry> = entries.collect();
        if entries.is_empty() {
            return Ok(Self::default());
        }
        let invariant = find_invariant(options.invariant, modules)?;
        let sources: Vec<PathBuf> = files.iter().map(|it| it.1.clone()).collect();
        let mut called = Vec::with_capacity(entries.len());
        for entry in entries {
            let file = files.iter().find(|it| it.0 == entry.module);
            let specs = match file.filter(|it| it.1.exists()) {
                Some((_, path)) => call_specs(front_end, path, &sources, options.opaque)?,
                None => None,
            };
            let module = modules.iter().find(|it| it.name == entry.module);
            let (Some(specs), Some(module)) = (specs, module) else {
                return Err(no_calls(entry));
            };
            let one = CalledModule::new(entry, specs, invariant.as_ref(), options, |callables| {
                has_effects(module, callables.names(), modules)
            })?;
            called.push(one);
        }
        Ok(Self {
            modules: called,
            length: options.length,
            invariant,
        })
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// The types of the sequences of an entry.
    pub(crate) fn spec(&self, entry: &Entry) -> Option<&Spec> {
        let module = self.modules.iter().find(|it| it.entry == *entry);
        module.map(|it| &it.spec)
    }

    /// The arguments of the wrapper of an entry for some calls; or the number of the first call that
    /// fits no spec.
    pub(crate) fn arguments(&self, entry: &Entry, calls: &[NamedCall]) -> Result<Vec<Term>, usize> {
        let module = self.modules.iter().find(|it| it.entry == *entry);
        let mut arguments = module.ok_or(1_usize)?.callables.sequence(calls)?;
        arguments.resize(self.length, Term::atom("none"));
        Ok(arguments)
    }

    /// The wrapper of an entry.
    pub(crate) fn start(&self, entry: &Entry) -> Option<Entry> {
        let number = self.modules.iter().position(|it| it.entry == *entry)?;
        Some(Entry::new(Atom::new(MODULE), self.wrapper(number)))
    }

    fn wrapper(&self, number: usize) -> FunctionId {
        FunctionId {
            name: Atom::new(format!("run_{number}")),
            arity: u32::try_from(self.length).unwrap_or(u32::MAX),
        }
    }

    /// The module of the wrappers, compiled without instrumentation.
    pub(crate) fn beam(&self, front_end: &FrontEnd, renaming: &Renaming) -> Result<Beam, Failure> {
        let text = self.core();
        let code = if renaming.is_empty() {
            let compiled = front_end.compile_core(&text, Effort::Usual)?;
            compiled.map_err(|messages| BeamError::refused("the calls", messages))?
        } else {
            front_end.compile_renamed(Path::new(MODULE), &text, &renaming.renamings())?
        };
        let name = Atom::new(MODULE);
        Ok(Beam { name, code })
    }

    /// The module of the wrappers, as Core Erlang.
    pub(crate) fn core(&self) -> String {
        let names: Vec<String> = (1..=self.length).map(|it| format!("A{it}")).collect();
        let calls = names.iter();
        let calls = calls.rfold("[]".to_owned(), |rest, name| format!("[{name}|{rest}]"));
        let (mut exports, mut functions) = (Vec::new(), common_functions());
        for (number, module) in self.modules.iter().enumerate() {
            let FunctionId { name, arity } = self.wrapper(number);
            let invariant = self.invariant.as_ref();
            let play = CallPlay {
                module: &module.entry,
                callables: &module.callables,
                invariant: invariant.map(|it| (it, module.asked.as_slice())),
                needed: module.needed,
                length: self.length,
                number,
            };
            let (parameters, body) = (names.join(","), play.start(&calls));
            exports.push(format!("'{name}'/{arity}"));
            functions.push_str(&format!(
                "'{name}'/{arity} = fun ({parameters}) -> {body}\n"
            ));
            functions.push_str(&play.functions());
        }
        let exports = exports.join(",");
        format!("module '{MODULE}' [{exports}] attributes []\n{functions}end\n")
    }
}

impl CalledModule {
    fn new(
        entry: &Entry,
        mut specs: CallSpecs,
        invariant: Option<&Entry>,
        options: CallOptions<'_>,
        has_effects: impl Fn(&Callables) -> bool,
    ) -> Result<Self, Failure> {
        let invariant = invariant.filter(|it| it.module == entry.module);
        let asked = Callables::new(&specs).asked_by(invariant.map(|it| &it.function));
        if let Some(invariant) = invariant {
            specs.leave_out(&invariant.function);
        }
        if specs.calls.is_empty() {
            return Err(no_calls(entry));
        }
        let callables = Callables::new(&specs);
        if callables.callable_after(0).is_empty() {
            return Err(no_first_call(entry));
        }
        let has_effects = has_effects(&callables);
        let needed = NeededCalls::of(&callables, has_effects, options.length);
        let needed = if options.plays_all {
            needed.without_rejection()
        } else {
            needed
        };
        Ok(Self {
            spec: sequence_spec(&callables, needed, options.length, &specs.spec),
            entry: entry.clone(),
            callables,
            needed,
            asked,
        })
    }
}

fn find_invariant(text: Option<&str>, modules: &[Module]) -> Result<Option<Entry>, Failure> {
    let found = text.map(|text| find_entry("--invariant", text, modules));
    let found = found.transpose()?;
    if let Some(found) = found.as_ref().filter(|it| it.function.arity != 1) {
        let title = format!("--invariant {found} has the wrong number of arguments");
        let error = Diagnostic::error("bad-condition", title);
        return Err(error.help("it takes what a call made").into());
    }
    Ok(found)
}

fn no_calls(entry: &Entry) -> Failure {
    let name = shown_module(&entry.module);
    let title = format!("{name} exports no function with a spec");
    let help = "write specs: they say what one call makes and another one takes";
    Diagnostic::error("no-calls", title).help(help).into()
}

fn no_first_call(entry: &Entry) -> Failure {
    let name = shown_module(&entry.module);
    let title = format!("no function of {name} can be called first");
    let help =
        "each takes a value that only other calls make; export one that makes it, with a spec";
    Diagnostic::error("no-first-call", title).help(help).into()
}
