//! The types of arguments, from specs. The Erlang side reads and resolves a spec, see
//! `erlconcolic_types`; here its answer becomes a grammar.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diagnostic::Diagnostic;
use erlang_term::{Atom, Integer, RecipeTag, Term};
use flattener::flat::FunctionId;
use reports::Entry;
use solver::types::{Alternative, Field, Signature, TypeId, Types};

use crate::beam::BeamError;
use crate::failure::Failure;
use crate::sources::front_end::FrontEnd;
use crate::terminal::render;

/// The types of the inputs of entries.
pub(crate) type Specs = HashMap<Entry, Spec>;

/// The specs of some functions, given the files of the user's modules. Each module is read once;
/// one whose file is gone has no specs.
pub(crate) fn all_specs(
    front_end: &FrontEnd,
    entries: impl IntoIterator<Item = Entry>,
    files: &[(Atom, PathBuf)],
    opaque: OpaqueTypes,
) -> Result<Specs, Failure> {
    let mut modules: Vec<(Atom, Vec<FunctionId>)> = Vec::new();
    for Entry {
        module, function, ..
    } in entries
    {
        match modules.iter_mut().find(|it| it.0 == module) {
            Some((_, functions)) => functions.push(function),
            None => modules.push((module, vec![function])),
        }
    }
    let sources: Vec<PathBuf> = files.iter().map(|it| it.1.clone()).collect();
    let mut all = Specs::new();
    for (module, functions) in modules {
        let file = files.iter().find(|it| it.0 == module);
        let Some((_, path)) = file.filter(|it| it.1.exists()) else {
            continue;
        };
        let specs = specs(front_end, &functions, path, &sources, opaque)?;
        for (function, spec) in functions.into_iter().zip(specs) {
            if let Some(spec) = spec {
                all.insert(Entry::new(module.clone(), function), spec);
            }
        }
    }
    Ok(all)
}

/// What the values of opaque types are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpaqueTypes {
    /// What calls of the functions of their module make, as recipes.
    Made,
    /// What their declarations say.
    Open,
}

impl OpaqueTypes {
    /// What the Erlang side calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Made => "recipes",
            Self::Open => "open",
        }
    }
}

/// The spec of a function.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The types of its arguments.
    pub signature: Signature,
    /// What the functions of recipes may return besides the opaque type.
    pub(crate) excluded: HashMap<RecipeTag, Vec<Excluded>>,
    /// The names of opaque types that no calls make a value of.
    pub(crate) unmade: Vec<String>,
}

/// A result of a function that is no value of the opaque type that others of its results are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Excluded {
    AnyAtom,
    Atom(Atom),
    Nil,
    /// A tuple that begins with this atom, and its size.
    Tagged(Atom, usize),
}

impl Excluded {
    /// The term that it was read from.
    fn term(&self) -> Term {
        match self {
            Self::AnyAtom => Term::atom("atom"),
            Self::Nil => Term::atom("nil"),
            Self::Atom(atom) => Term::Tuple(vec![Term::atom("atom"), Term::Atom(atom.clone())]),
            Self::Tagged(tag, size) => {
                let size = i64::try_from(*size).unwrap_or(i64::MAX);
                Term::Tuple(vec![
                    Term::atom("tagged"),
                    Term::Atom(tag.clone()),
                    Term::Integer(size.into()),
                ])
            }
        }
    }
}

/// What the functions of recipes may return besides the opaque type, for a run: `[{Tag, Excluded}]`.
pub(crate) fn excluded_results(specs: &Specs) -> Term {
    let mut all: BTreeMap<&RecipeTag, &Vec<Excluded>> = BTreeMap::new();
    all.extend(specs.values().flat_map(|it| &it.excluded));
    let pairs = all.into_iter().map(|(tag, excluded)| {
        let excluded = Term::list(excluded.iter().map(Excluded::term));
        Term::Tuple(vec![Term::Atom(tag.atom()), excluded])
    });
    Term::list(pairs)
}

/// The specs of some functions of the module in a file, in their order; `None` for functions
/// without one. Other modules of the user may define types.
///
/// # Errors
/// When there is no Erlang.
pub fn specs(
    front_end: &FrontEnd,
    functions: &[FunctionId],
    path: &Path,
    sources: &[PathBuf],
    opaque: OpaqueTypes,
) -> Result<Vec<Option<Spec>>, Failure> {
    let names = functions.iter().map(|function| {
        let arity = Term::Integer(i64::from(function.arity).into());
        Term::Tuple(vec![Term::Atom(function.name.clone()), arity])
    });
    read(front_end, names.collect(), path, sources, opaque)
}

/// A type without parameters that the module in a file declares, as the type of an argument; `None`
/// if there is none.
pub(crate) fn declared_type(
    front_end: &FrontEnd,
    name: &Atom,
    path: &Path,
    sources: &[PathBuf],
    opaque: OpaqueTypes,
) -> Result<Option<Spec>, Failure> {
    let named = Term::Tuple(vec![Term::atom("type"), Term::Atom(name.clone())]);
    let read = read(front_end, vec![named], path, sources, opaque)?;
    Ok(read.into_iter().next().flatten())
}

/// Reads what is named: functions, or types.
fn read(
    front_end: &FrontEnd,
    names: Vec<Term>,
    path: &Path,
    sources: &[PathBuf],
    opaque: OpaqueTypes,
) -> Result<Vec<Option<Spec>>, Failure> {
    let text = |path: &Path| Term::binary(path.to_string_lossy().as_bytes());
    let count = names.len();
    let sources = sources.iter().map(|path| text(path));
    let request = Term::Map(vec![
        (Term::atom("path"), text(path)),
        (Term::atom("functions"), Term::list(names)),
        (Term::atom("sources"), Term::list(sources)),
        (Term::atom("opaque"), Term::atom(opaque.name())),
    ]);
    let command = Term::Tuple(vec![Term::atom("types"), request]);
    let answer = front_end.helper()?.call(command)?;
    let answer = answer.map_err(|messages| BeamError::refused("the spec", messages))?;
    let answers = answer.as_list().filter(|it| it.len() == count);
    let answers = answers.ok_or_else(|| BeamError::BadAnswer(format!("specs: {answer}")))?;
    answers.iter().map(read_answer).collect()
}

pub(super) fn read_answer(answer: &Term) -> Result<Option<Spec>, Failure> {
    if answer.as_atom() == Some("none") {
        return Ok(None);
    }
    let warnings: Vec<Diagnostic> = texts(answer, "warnings")
        .map(|text| Diagnostic::warning("unknown-type", text))
        .collect();
    render::show(&warnings);
    let bad = || BeamError::BadAnswer(format!("a spec: {answer}"));
    Ok(Some(parse(answer).ok_or_else(bad)?))
}

/// The binaries in a list of an answer.
fn texts(answer: &Term, key: &str) -> impl Iterator<Item = String> {
    let list = answer.get(key).and_then(Term::as_list);
    let binaries = list.unwrap_or_default().iter().filter_map(Term::as_binary);
    binaries.map(|text| String::from_utf8_lossy(text).into_owned())
}

fn parse(answer: &Term) -> Option<Spec> {
    let types = answer.get("types")?.as_list()?;
    let types = types
        .iter()
        .map(|alternatives| alternatives.as_list()?.iter().map(alternative).collect())
        .collect::<Option<Vec<Vec<Alternative>>>>()?;
    let clauses = answer.get("clauses")?.as_list()?;
    let clauses = clauses.iter().map(ids);
    let excluded = answer.get("excluded")?.as_list()?.iter().map(all_excluded);
    Some(Spec {
        signature: Signature {
            types: Arc::new(Types::new(types)),
            clauses: clauses.collect::<Option<_>>()?,
        },
        excluded: excluded.collect::<Option<_>>()?,
        unmade: texts(answer, "unmade").collect(),
    })
}

/// What the function of a recipe may return besides the type.
fn all_excluded(term: &Term) -> Option<(RecipeTag, Vec<Excluded>)> {
    let [Term::Atom(tag), excluded] = term.as_tuple()? else {
        return None;
    };
    let excluded = excluded.as_list()?.iter().map(one_excluded);
    Some((RecipeTag::of(tag)?, excluded.collect::<Option<_>>()?))
}

pub(super) fn one_excluded(term: &Term) -> Option<Excluded> {
    match term.as_tuple() {
        None if term.as_atom()? == "atom" => Some(Excluded::AnyAtom),
        None => Some(Excluded::Nil),
        Some([_, Term::Atom(atom)]) => Some(Excluded::Atom(atom.clone())),
        Some([_, Term::Atom(tag), size]) => {
            let size = usize::try_from(size.as_i64()?).ok()?;
            Some(Excluded::Tagged(tag.clone(), size))
        }
        Some(_) => None,
    }
}

fn ids(list: &Term) -> Option<Vec<TypeId>> {
    list.as_list()?.iter().map(id).collect()
}

fn id(term: &Term) -> Option<TypeId> {
    Some(TypeId(u32::try_from(term.as_i64()?).ok()?))
}

fn alternative(term: &Term) -> Option<Alternative> {
    if let Some(name) = term.as_atom() {
        return plain(name);
    }
    let parts = term.as_tuple()?;
    let (tag, rest) = parts.split_first()?;
    match (tag.as_atom()?, rest) {
        ("integer", [min, max]) => {
            let min = bound(min, "neg_inf")?;
            Some(Alternative::Integer(min, bound(max, "pos_inf")?))
        }
        ("atom", [Term::Atom(atom)]) => Some(Alternative::Atom(atom.clone())),
        ("cons", [head, tail]) => Some(Alternative::Cons(id(head)?, id(tail)?)),
        ("tuple", [types]) => Some(Alternative::Tuple(ids(types)?)),
        ("map", [fields]) => {
            let fields = fields.as_list()?.iter().map(field);
            let fields = fields.collect::<Option<_>>()?;
            Some(Alternative::Map(fields))
        }
        ("bitstring", [base, unit]) => {
            let number = |term: &Term| u64::try_from(term.as_i64()?).ok();
            Some(Alternative::Bits(number(base)?, number(unit)?))
        }
        ("function", [arguments, result]) => {
            let parameters = match arguments.as_atom() {
                Some(_) => None,
                None => Some(ids(arguments)?),
            };
            Some(Alternative::Fun(parameters, id(result)?))
        }
        _ => None,
    }
}

fn plain(name: &str) -> Option<Alternative> {
    Some(match name {
        "any" => Alternative::Any,
        "float" => Alternative::Float,
        "atom" => Alternative::AnyAtom,
        "nil" => Alternative::Nil,
        "tuple" => Alternative::AnyTuple,
        "map" => Alternative::AnyMap,
        "utf8" => Alternative::Text,
        "function" => Alternative::AnyFun,
        "pid" => Alternative::Pid,
        "port" => Alternative::Port,
        "reference" => Alternative::Reference,
        _ => return None,
    })
}

fn bound(term: &Term, infinite: &str) -> Option<Option<Integer>> {
    if let Term::Integer(value) = term {
        return Some(Some(value.clone()));
    }
    (term.as_atom() == Some(infinite)).then_some(None)
}

fn field(term: &Term) -> Option<Field> {
    let [necessity, key, value] = term.as_tuple()? else {
        return None;
    };
    Some(Field {
        is_required: necessity.as_atom()? == "required",
        key: id(key)?,
        value: id(value)?,
    })
}
