//! Which function to run, and with which arguments.

use diagnostic::Diagnostic;
use erlang_term::{Atom, Term, from_wire};
use flattener::flat::{FunctionId, Module, is_made_by_elixir};
use reports::{Behaviour, Entry, Language, Wording, counted, shown_module};

use crate::beam::{BeamError, Helper};
use crate::failure::Failure;
use crate::program::names;

/// Finds `mod:fun/arity` or `fun/arity`, the value of an option, in the modules.
pub(crate) fn find_entry(option: &str, text: &str, modules: &[Module]) -> Result<Entry, Failure> {
    let (module, function) = names::function(text).ok_or_else(|| {
        Diagnostic::error(
            "bad-entry",
            format!("{option} {text}: this is not a function"),
        )
        .help("write mod:fun/arity, or fun/arity if only one module exports it")
    })?;
    let exporting: Vec<&Module> = modules
        .iter()
        .filter(|candidate| {
            module
                .as_ref()
                .is_none_or(|module| is_called(&candidate.name, module))
        })
        .filter(|candidate| candidate.exports.contains(&function))
        .collect();
    match exporting.as_slice() {
        [only] => Ok(Entry::new(only.name.clone(), function)),
        [] => Err(missing(text, module.as_ref(), &function, modules).into()),
        several => {
            let names: Vec<String> = several
                .iter()
                .map(|module| shown_entry(module, &function))
                .collect();
            let title = format!("several modules export {}", shown(&function));
            Err(Diagnostic::error("ambiguous-entry", title)
                .help(format!("name one of them: {}", names.join(", ")))
                .into())
        }
    }
}

/// Finds what a saved run began with: `m:f/1`, `m (gen_server)`, `m (calls)`.
pub(crate) fn find_saved_entry(name: &str, modules: &[Module]) -> Result<Entry, Failure> {
    let parts = name.strip_suffix(')').and_then(|it| it.rsplit_once(" ("));
    match parts {
        Some((module, "calls")) => Ok(Entry::calls(find_module(module, modules)?.name.clone())),
        Some((module, saved @ ("gen_server" | "gen_statem"))) => {
            let found = find_machine(module, modules)?;
            match found.behaviour().map(Behaviour::name) {
                Some(behaviour) if behaviour != saved => {
                    let name = shown_module(&found.module);
                    let title = format!("{name} is a {behaviour} now, but it was a {saved}");
                    let help = "other events make sense for it: explore it again";
                    Err(Diagnostic::error("no-machine", title).help(help).into())
                }
                _ => Ok(found),
            }
        }
        _ => find_entry("the saved entry", name, modules),
    }
}

/// Reads the arguments, a list with one element for each parameter: of Erlang or, for a function of
/// Elixir, of Elixir.
pub(crate) fn read_arguments(entry: &Entry, text: &str, helper: &Helper) -> Result<Term, Failure> {
    let Entry {
        module, function, ..
    } = entry;
    let bad = |why: &str| {
        Diagnostic::error("bad-arguments", format!("--args {text} {why}"))
            .help("write an Erlang list with one element for each parameter: '[[a], 3]'")
    };
    let read = match (read_list(text, helper)?, Language::of(module)) {
        (Err(_), Language::Elixir) => read_by("elixir_arguments", text, helper)?,
        (read, Language::Erlang | Language::Elixir) => read,
    };
    let arguments = read.map_err(|why| bad(&why))?;
    // A list of small integers is encoded as a string, but is a list too.
    let count = arguments.as_list().map_or(0, <[Term]>::len);
    if count != function.arity as usize {
        let why = format!(
            "has {count} arguments, but {} takes {}",
            Wording::of(entry, None).function(&entry.to_string()),
            function.arity
        );
        return Err(bad(&why).into());
    }
    Ok(arguments)
}

/// Reads the input of a machine, a list of the argument of `init/1` and events. It gets as many
/// arguments as the wrapper of the machine has.
pub(crate) fn read_events(text: &str, arity: usize, helper: &Helper) -> Result<Term, Failure> {
    let bad = |why: &str| {
        let title = format!("--args {text} {why}");
        let help = "write the argument of init/1 and events: '[[], {call, get}, timeout]'";
        Failure::from(Diagnostic::error("bad-arguments", title).help(help))
    };
    let read = read_list(text, helper)?.map_err(|why| bad(&why))?;
    let mut arguments = read.as_list().unwrap_or_default().to_vec();
    let events = arguments.len().checked_sub(1);
    let events = events.ok_or_else(|| bad("has no argument of init/1"))?;
    if events >= arity {
        let most = counted(arity - 1, "event");
        return Err(bad(&format!("has more than {most}, see --length")));
    }
    if let Some(strange) = strange_event(&arguments) {
        return Err(bad(&format!("has {strange}, which is no event")));
    }
    arguments.resize(arity, Term::atom("none"));
    Ok(Term::list(arguments))
}

/// What is no event in the input of a machine.
pub(crate) fn strange_event(arguments: &[Term]) -> Option<&Term> {
    arguments.iter().skip(1).find(|it| !is_event(it))
}

fn is_event(term: &Term) -> bool {
    match term.as_tuple() {
        Some([kind, _]) => matches!(kind.as_atom(), Some("call" | "cast" | "info")),
        Some(_) => false,
        None => term.as_atom() == Some("timeout"),
    }
}

/// Reads an Erlang list, or returns why it cannot be read.
pub(crate) fn read_list(text: &str, helper: &Helper) -> Result<Result<Term, String>, BeamError> {
    read_by("arguments", text, helper)
}

/// Reads a list by this command of the helper.
fn read_by(command: &str, text: &str, helper: &Helper) -> Result<Result<Term, String>, BeamError> {
    let command = Term::Tuple(vec![Term::atom(command), Term::binary(text)]);
    match helper.call(command)? {
        Ok(answer) => match from_wire(&answer) {
            Some(list) => Ok(Ok(list)),
            None => Err(BeamError::BadAnswer(format!("arguments: {answer}"))),
        },
        Err(messages) => {
            let words: Vec<String> = messages.into_iter().map(|it| it.text).collect();
            Ok(Err(words.join(", ")))
        }
    }
}

/// Which functions the user chose.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice<'options> {
    /// Functions, by name.
    pub(crate) entries: &'options [String],
    /// All functions of these modules.
    pub(crate) modules: &'options [String],
    /// All functions.
    pub(crate) all: bool,
    /// But not those of these modules.
    pub(crate) excluded: &'options [String],
    /// The machines of these modules.
    pub(crate) machines: &'options [String],
    /// Sequences of calls of the functions of these modules.
    pub(crate) calls: &'options [String],
    /// Whether machines are chosen with all functions.
    pub(crate) has_machines: bool,
}

/// A function that the user chose.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub(crate) entry: Entry,
    /// Whether the user named the function itself, not only its module.
    pub(crate) is_named: bool,
}

impl Choice<'_> {
    /// Finds the functions in the modules: first the named ones, then the rest in the order of the
    /// modules. Each appears once.
    pub(crate) fn find(&self, modules: &[Module]) -> Result<Vec<Chosen>, Failure> {
        let mut chosen: Vec<Chosen> = Vec::new();
        let mut choose = |entry: Entry, is_named: bool| {
            if chosen.iter().all(|it| it.entry != entry) {
                chosen.push(Chosen { entry, is_named });
            }
        };
        for text in self.entries {
            choose(find_entry("--entry", text, modules)?, true);
        }
        for text in self.machines {
            choose(find_machine(text, modules)?, true);
        }
        for text in self.calls {
            choose(Entry::calls(find_module(text, modules)?.name.clone()), true);
        }
        let all_of = |module| {
            let machine = machine(module).filter(|_| self.has_machines);
            exports(module).chain(machine)
        };
        for text in self.modules {
            all_of(find_module(text, modules)?).for_each(|entry| choose(entry, false));
        }
        let mut excluded = Vec::new();
        for text in self.excluded {
            excluded.push(find_module(text, modules)?.name.clone());
        }
        if self.all {
            let modules = modules.iter();
            let modules = modules.filter(|module| !excluded.contains(&module.name));
            let entries = modules.flat_map(all_of);
            entries.for_each(|entry| choose(entry, false));
        }
        if chosen.is_empty() {
            let title = "none of the modules exports a function";
            return Err(Diagnostic::error("no-entry", title)
                .help("export the functions to explore")
                .into());
        }
        Ok(chosen)
    }
}

/// A module as a machine, if it is one.
fn machine(module: &Module) -> Option<Entry> {
    let behaviour = Behaviour::of(module)?;
    Some(Entry::machine(module.name.clone(), behaviour))
}

/// Finds a machine, given how a user calls its module.
fn find_machine(text: &str, modules: &[Module]) -> Result<Entry, Failure> {
    let module = find_module(text, modules)?;
    machine(module).ok_or_else(|| {
        let name = shown_module(&module.name);
        let title = format!("{name} is neither a gen_server nor a gen_statem");
        let machines = modules.iter().filter(|it| Behaviour::of(it).is_some());
        let machines: Vec<String> = machines.map(|it| shown_module(&it.name)).collect();
        let error = Diagnostic::error("no-machine", title);
        let help = if machines.is_empty() {
            "add -behaviour(gen_server) or -behaviour(gen_statem), or explore its functions with \
             --module"
                .to_owned()
        } else {
            format!("machines are: {}", machines.join(", "))
        };
        error.help(help).into()
    })
}

/// The exported functions of a module, without those that the compiler adds.
fn exports(module: &Module) -> impl Iterator<Item = Entry> {
    let exports = module.exports.iter();
    let own = exports.filter(|it| !is_made(module, it));
    own.map(|function| Entry::new(module.name.clone(), function.clone()))
}

fn shown_entry(module: &Module, function: &FunctionId) -> String {
    let entry = Entry::new(module.name.clone(), function.clone());
    Wording::of(&entry, None).function(&entry.to_string())
}

/// Whether the compiler made an exported function, of Erlang or of Elixir.
fn is_made(module: &Module, function: &FunctionId) -> bool {
    matches!(function.name.as_str(), "module_info" | "behaviour_info")
        || is_made_by_elixir(module, function)
}

fn shown(function: &FunctionId) -> String {
    format!("{}/{}", function.name, function.arity)
}

/// Finds a module, given how a user calls it.
fn find_module<'modules>(
    text: &str,
    modules: &'modules [Module],
) -> Result<&'modules Module, Failure> {
    let mut names = names::modules(text).into_iter();
    let found = names.find_map(|name| modules.iter().find(|module| module.name == name));
    found.ok_or_else(|| missing_module(&names::module(text), modules).into())
}

/// Whether a user may call a module by this name.
fn is_called(module: &Atom, name: &Atom) -> bool {
    module == name || names::modules(name.as_str()).contains(module)
}

fn missing_module(name: &Atom, modules: &[Module]) -> Diagnostic {
    let names: Vec<String> = modules.iter().map(|it| shown_module(&it.name)).collect();
    let name = shown_module(name);
    let error = Diagnostic::error("no-entry", format!("there is no module {name}"));
    match nearest(&name, &names) {
        Some(meant) => error.help(format!("did you mean {meant}?")),
        None => error.help(format!("the modules are: {}", names.join(", "))),
    }
}

/// Why there is no such function, and similar names.
fn missing(
    text: &str,
    module: Option<&Atom>,
    function: &FunctionId,
    modules: &[Module],
) -> Diagnostic {
    if let Some(name) = module
        && !modules.iter().any(|it| is_called(&it.name, name))
    {
        return missing_module(name, modules);
    }
    let candidates: Vec<&Module> = modules
        .iter()
        .filter(|candidate| module.is_none_or(|module| is_called(&candidate.name, module)))
        .collect();
    let private = candidates
        .iter()
        .find(|candidate| candidate.functions.iter().any(|it| it.id == *function));
    if let Some(module) = private {
        let title = format!("{} is not exported", shown_entry(module, function));
        return Diagnostic::error("no-entry", title)
            .help("export it, or use a function that calls it");
    }
    let exports: Vec<String> = candidates
        .iter()
        .flat_map(|module| &module.exports)
        .filter(|export| export.name.as_str() != "module_info")
        .map(shown)
        .collect();
    let error = Diagnostic::error("no-entry", format!("there is no function {text}"));
    let same_name: Vec<&str> = exports
        .iter()
        .filter(|export| {
            export.rsplit_once('/').map(|(name, _)| name) == Some(function.name.as_str())
        })
        .map(String::as_str)
        .collect();
    if !same_name.is_empty() {
        return error.help(format!("exported: {}", same_name.join(", ")));
    }
    match nearest(&shown(function), &exports) {
        Some(meant) => error.help(format!("did you mean {meant}?")),
        None if exports.is_empty() => error.help("no function is exported"),
        None => error.help(format!("exported: {}", exports.join(", "))),
    }
}

/// The most similar word, if one is similar enough.
pub(crate) fn nearest<'words>(word: &str, words: &'words [String]) -> Option<&'words String> {
    let distance = |other: &String| strsim::damerau_levenshtein(word, other);
    let nearest = words.iter().min_by_key(|other| distance(other))?;
    (distance(nearest) <= 1 + word.chars().count() / 4).then_some(nearest)
}
