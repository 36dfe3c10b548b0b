//! Instrumented programs: the user's modules, the modules of OTP that they use, and their code.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use erlang_term::{Atom, Term};
use flattener::flat::{self, FunctionId, FunctionRef, Operation, TailForm, Value, to_ast};
use flattener::{Detail, parse_module, print_module};
use rayon::prelude::*;
use trace_format::manifest::{hash, interface};
use trace_format::{Program, Wire};

use crate::beam::{BeamError, Effort, Helper};
use crate::failure::Failure;
use crate::followed_modules::{is_followed, model};
use crate::sources::front_end::FrontEnd;

pub use crate::beam::Beam;

/// A program, and its instrumented code.
#[derive(Debug)]
pub struct Instrumented {
    /// What the log of a run is about.
    pub program: Program,
    /// The code of all its modules.
    pub beams: Vec<Beam>,
}

/// The same, with all that is needed to do less the next time.
#[derive(Debug)]
pub struct Build {
    /// The program and its code.
    pub instrumented: Instrumented,
    /// For each module the text of its flat form.
    pub texts: Vec<String>,
    /// For each module a hash of all that its code depends on.
    pub keys: Vec<String>,
    /// The modules of OTP that were looked at, whole.
    pub library: HashMap<Atom, flat::Module>,
}

/// What earlier work left, to be used again.
#[derive(Debug, Default)]
pub struct Reuse {
    /// Modules of OTP, whole.
    pub library: HashMap<Atom, flat::Module>,
    /// Instrumented code, by its key.
    pub beams: HashMap<String, Vec<u8>>,
}

/// Instruments modules, and the modules of OTP that they use.
///
/// # Errors
/// When there is no Erlang.
pub fn instrument(
    front_end: &FrontEnd,
    modules: Vec<flat::Module>,
    wire: Wire,
) -> Result<Instrumented, Failure> {
    instrument_except(front_end, modules, wire, &[])
}

/// The same, without some modules of OTP.
///
/// # Errors
/// When there is no Erlang.
pub(crate) fn instrument_except(
    front_end: &FrontEnd,
    modules: Vec<flat::Module>,
    wire: Wire,
    opaque: &[Atom],
) -> Result<Instrumented, Failure> {
    let (program, _) = link(front_end, modules, HashMap::new(), opaque)?;
    let beams = compile_all(front_end, &program, wire, |_| None)?;
    Ok(Instrumented { program, beams })
}

/// Adds a module to a program that is instrumented already. What it calls must be there.
///
/// # Errors
/// When there is no Erlang.
pub(crate) fn add_module(
    front_end: &FrontEnd,
    program: Program,
    module: flat::Module,
    wire: Wire,
    beams: &mut Vec<Beam>,
) -> Result<Program, Failure> {
    let known = program.modules().iter();
    let known = known.map(|it| (it.flat.clone(), it.loaded_as.clone()));
    let name = module.name.clone();
    let number = program.modules().len();
    let program = Program::new(known.chain([(module, name.clone())]));
    let code = compile(front_end, &program, number, wire)?;
    beams.push(Beam { name, code });
    Ok(program)
}

/// Instruments modules, and the modules of OTP that they use, and does not do again what need not
/// be done again.
///
/// # Errors
/// When there is no Erlang.
pub fn build(
    front_end: &FrontEnd,
    modules: Vec<flat::Module>,
    wire: Wire,
    reuse: Reuse,
) -> Result<Build, Failure> {
    let (program, library) = link(front_end, modules, reuse.library, &[])?;
    let texts = flat_texts(&program);
    let keys = keys(&program, &texts, wire);
    let known = |number: usize| reuse.beams.get(keys.get(number)?);
    let beams = compile_all(front_end, &program, wire, known)?;
    Ok(Build {
        instrumented: Instrumented { program, beams },
        texts,
        keys,
        library,
    })
}

/// The program of some modules and what they can reach of OTP; and the modules of OTP, whole.
fn link(
    front_end: &FrontEnd,
    modules: Vec<flat::Module>,
    known: HashMap<Atom, flat::Module>,
    opaque: &[Atom],
) -> Result<(Program, HashMap<Atom, flat::Module>), Failure> {
    let library = library_modules(front_end, &modules, known, opaque)?;
    let reachable = prune(&modules, &library);
    let helper = front_end.helper()?;
    let mut linked = Vec::with_capacity(modules.len() + reachable.len());
    for mut module in modules {
        let name = if is_of_system(&helper, &module.name)? {
            replace_stubs(&mut module);
            copy_name(&module.name)
        } else {
            module.name.clone()
        };
        linked.push((module, name));
    }
    for module in reachable {
        let copy = copy_name(&module.name);
        linked.push((module, copy));
    }
    Ok((Program::new(linked), library))
}

/// The name of an instrumented copy, beside which the original stays in place: the runtime itself
/// may need that.
pub fn copy_name(module: &Atom) -> Atom {
    Atom::new(format!("{}@followed", module.as_str()))
}

/// Whether a module of the user's has the name of one of Erlang's own.
pub(crate) fn is_of_system(helper: &Helper, name: &Atom) -> Result<bool, Failure> {
    let command = Term::Tuple(vec![Term::atom("is_of_system"), Term::Atom(name.clone())]);
    let answer = helper.call(command)?;
    Ok(answer.is_ok_and(|answer| answer.as_atom() == Some("true")))
}

/// The texts of all flat modules of a program.
pub fn flat_texts(program: &Program) -> Vec<String> {
    let modules = program.modules().par_iter();
    modules.map(|module| flat_text(&module.flat)).collect()
}

/// The text of a flat module, from which it can be read again.
pub fn flat_text(module: &flat::Module) -> String {
    print_module(&to_ast(module, TailForm::Bound), Detail::Full)
}

fn keys(program: &Program, texts: &[String], wire: Wire) -> Vec<String> {
    let interface = interface(program);
    let wire = format!("{wire:?}");
    let key = |text: &String| {
        hash([
            env!("CARGO_PKG_VERSION").as_bytes(),
            wire.as_bytes(),
            interface.as_bytes(),
            text.as_bytes(),
        ])
    };
    texts.par_iter().map(key).collect()
}

/// The instrumented code of all modules; that of some may be known.
fn compile_all<'code>(
    front_end: &FrontEnd,
    program: &Program,
    wire: Wire,
    known: impl Fn(usize) -> Option<&'code Vec<u8>> + Sync,
) -> Result<Vec<Beam>, Failure> {
    let modules = program.modules().par_iter().enumerate();
    modules
        .map(|(number, module)| {
            let code = match known(number) {
                Some(code) => code.clone(),
                None => compile(front_end, program, number, wire)?,
            };
            let name = module.loaded_as.clone();
            Ok(Beam { name, code })
        })
        .collect()
}

fn compile(
    front_end: &FrontEnd,
    program: &Program,
    number: usize,
    wire: Wire,
) -> Result<Vec<u8>, Failure> {
    let module = instrumenter::instrument(program, number, wire);
    let module = module.expect("the number is that of a module");
    let text = print_module(&to_ast(&module, TailForm::Bare), Detail::Code);
    front_end
        .compile_core(&text, Effort::Quick)?
        .map_err(|messages| {
            let what = format!("instrumented {}", module.name);
            BeamError::refused(&what, messages).into()
        })
}

/// The modules of OTP that a program uses and that are followed.
fn library_modules(
    front_end: &FrontEnd,
    modules: &[flat::Module],
    known: HashMap<Atom, flat::Module>,
    opaque: &[Atom],
) -> Result<HashMap<Atom, flat::Module>, Failure> {
    let own: HashSet<&Atom> = modules.iter().map(|module| &module.name).collect();
    let mut loaded = known;
    let mut missing: BTreeSet<Atom> = modules
        .iter()
        .chain(loaded.values())
        .flat_map(remote_modules)
        .collect();
    loop {
        missing.retain(|name| {
            let is_wanted = is_followed(name.as_str()) && !opaque.contains(name);
            is_wanted && !own.contains(name) && !loaded.contains_key(name)
        });
        if missing.is_empty() {
            break;
        }
        let helper = front_end.helper()?;
        let mut found = Vec::new();
        let mut paths = Vec::new();
        for name in &missing {
            match model(name.as_str()) {
                Some(text) => found.push(flat_module(name, text)?),
                None => paths.extend(beam_path(&helper, name)?),
            }
        }
        for module in front_end.load_library(&paths)? {
            let mut module = module.flatten()?;
            replace_stubs(&mut module);
            found.push(module);
        }
        let mut next = BTreeSet::new();
        for module in found {
            next.extend(remote_modules(&module));
            loaded.insert(module.name.clone(), module);
        }
        let is_found = missing.iter().any(|name| loaded.contains_key(name));
        if !is_found {
            break;
        }
        missing = next;
    }
    Ok(loaded)
}

/// The flat form of a module that is part of this program, or made by it.
pub(crate) fn flat_module(name: &Atom, text: &str) -> Result<flat::Module, Failure> {
    let bad = |what: String| Failure::from(BeamError::BadAnswer(format!("{name}: {what}")));
    let module = parse_module(text).map_err(|error| bad(error.to_string()))?;
    flattener::flatten(module).map_err(|errors| bad(format!("{errors:?}")))
}

/// Where the code of a module of OTP is.
pub(crate) fn beam_path(helper: &Helper, name: &Atom) -> Result<Option<PathBuf>, Failure> {
    let command = Term::Tuple(vec![Term::atom("which"), Term::Atom(name.clone())]);
    match helper.call(command)? {
        Ok(path) => Ok(path
            .as_binary()
            .map(|path| PathBuf::from(String::from_utf8_lossy(path).into_owned()))),
        Err(_) => Ok(None),
    }
}

fn remote_modules(module: &flat::Module) -> Vec<Atom> {
    let references = all_references(module).into_iter();
    references.map(|(module, _)| module).collect()
}

/// The function that a call by name calls, if that is known before the program runs.
pub(crate) fn remote_call(operation: &Operation) -> Option<(Atom, FunctionId)> {
    let Operation::Call {
        module,
        name,
        arguments,
    } = operation
    else {
        return None;
    };
    let module = Atom::new(module.as_literal()?.as_atom()?);
    let name = Atom::new(name.as_literal()?.as_atom()?);
    let arity = u32::try_from(arguments.len()).ok()?;
    Some((module, FunctionId { name, arity }))
}

/// Functions that are built-ins in the real module are stubs in its Erlang code: the copy calls
/// the real ones.
pub fn replace_stubs(module: &mut flat::Module) {
    let name = module.name.clone();
    for function in &mut module.functions {
        let body = function.fun.body;
        let parameters = function.fun.parameters.clone();
        let id = function.id.clone();
        let Some(block) = function.blocks.get_mut(body.index()) else {
            continue;
        };
        if let [statement] = block.statements.as_mut_slice()
            && let Some((called, stub)) = remote_call(&statement.operation)
            && called.as_str() == "erlang"
            && stub.name.as_str() == "nif_error"
        {
            statement.operation = Operation::Call {
                module: Value::literal(Term::Atom(name.clone())),
                name: Value::literal(Term::Atom(id.name)),
                arguments: parameters.into_iter().map(Value::Variable).collect(),
            };
        }
    }
}

/// Leaves only those functions in library modules that the program can reach by calls that are
/// known before it runs.
fn prune(modules: &[flat::Module], library: &HashMap<Atom, flat::Module>) -> Vec<flat::Module> {
    let mut reached: HashSet<(Atom, FunctionId)> = HashSet::new();
    let mut waiting: Vec<(Atom, FunctionId)> = modules.iter().flat_map(all_references).collect();
    while let Some((module, id)) = waiting.pop() {
        let Some(code) = library.get(&module) else {
            continue;
        };
        let Some(function) = code.functions.iter().find(|function| function.id == id) else {
            continue;
        };
        if !reached.insert((module.clone(), id)) {
            continue;
        }
        references(function, &module, &mut waiting);
    }
    let mut sorted: Vec<&flat::Module> = library.values().collect();
    sorted.sort_by(|left, right| left.name.cmp(&right.name));
    let mut pruned = Vec::new();
    for module in sorted {
        let is_reached = |id: &FunctionId| reached.contains(&(module.name.clone(), id.clone()));
        let functions = module.functions.iter();
        let functions: Vec<_> = functions.filter(|it| is_reached(&it.id)).cloned().collect();
        if functions.is_empty() {
            continue;
        }
        let exports = module.exports.iter();
        pruned.push(flattener::passes::number_sites::run(flat::Module {
            name: module.name.clone(),
            exports: exports.filter(|id| is_reached(id)).cloned().collect(),
            attributes: Vec::new(),
            functions,
            annotations: module.annotations.clone(),
            site_count: 0,
        }));
    }
    pruned
}

/// All functions that a module calls or makes funs of, as far as that is known before it runs.
fn all_references(module: &flat::Module) -> Vec<(Atom, FunctionId)> {
    let mut found = Vec::new();
    for function in &module.functions {
        references(function, &module.name, &mut found);
    }
    found
}

fn references(function: &flat::Function, module: &Atom, found: &mut Vec<(Atom, FunctionId)>) {
    for block in &function.blocks {
        for statement in &block.statements {
            found.extend(remote_call(&statement.operation));
            for value in statement.operation.operands() {
                references_in_value(value, module, found);
            }
        }
        for value in &block.result {
            references_in_value(value, module, found);
        }
    }
}

fn references_in_value(value: &Value, module: &Atom, found: &mut Vec<(Atom, FunctionId)>) {
    match value {
        Value::Function(function) => {
            if let FunctionRef::Module(id) = &**function {
                found.push((module.clone(), id.clone()));
            }
        }
        Value::Cons(parts) => {
            references_in_value(&parts.0, module, found);
            references_in_value(&parts.1, module, found);
        }
        Value::Tuple(elements) => {
            let elements = elements.iter();
            elements.for_each(|element| references_in_value(element, module, found));
        }
        Value::Literal(literal) => references_in_term(literal, found),
        Value::Variable(_) => {}
    }
}

fn references_in_term(term: &Term, found: &mut Vec<(Atom, FunctionId)>) {
    match term {
        Term::ExternalFun(fun) => {
            let id = FunctionId {
                name: fun.name.clone(),
                arity: fun.arity.into(),
            };
            found.push((fun.module.clone(), id));
        }
        Term::List(elements, tail) => {
            let all = elements.iter().chain(tail.as_deref());
            all.for_each(|it| references_in_term(it, found));
        }
        Term::Tuple(elements) => elements.iter().for_each(|it| references_in_term(it, found)),
        Term::Map(pairs) => {
            let all = pairs.iter().flat_map(|(key, value)| [key, value]);
            all.for_each(|it| references_in_term(it, found));
        }
        // Only inputs have tables for funs.
        Term::TableFun(_) => {}
        Term::Integer(_) | Term::Float(_) | Term::Atom(_) | Term::Bits(..) => {}
    }
}
