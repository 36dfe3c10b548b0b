//! The modules that are followed.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use erlang_term::Atom;
use flattener::flat::{
    Callable, Fun, Function, FunctionId, LocalId, Module, Operation, SiteId, Statement,
};

use crate::function_index::{ExportIndex, ModuleIndex};
use crate::matched_atoms::matched_atoms;
use crate::numbering::Numbering;
use crate::plan::{Plan, PlannedModule};
use crate::statement_places::{StatementPlace, statement_places};

/// The followed modules of a run.
#[derive(Clone, Debug, Default)]
pub struct Program {
    modules: Vec<ProgramModule>,
    by_name: HashMap<Atom, usize>,
    exports: ExportIndex,
    /// Computed on first use.
    matched_atoms: OnceLock<Vec<Atom>>,
}

/// A followed module.
#[derive(Clone, Debug)]
pub struct ProgramModule {
    /// Its name in the program.
    pub name: Atom,
    /// The name under which its instrumented code is loaded. Copies of modules of OTP have another
    /// name: the runtime system needs the originals.
    pub loaded_as: Atom,
    /// Its code.
    pub flat: Module,
    /// The numbers of its events.
    pub numbering: Numbering,
    /// What is known about its sites.
    pub plan: Plan,
    /// The name of each function's instrumented body.
    bodies: Vec<Atom>,
    functions: ModuleIndex,
    /// For each site its statement: function, block and place in the block.
    places: Vec<StatementPlace>,
    /// The functions of its `letrec`s, in order of their sites.
    locals: Vec<(SiteId, LocalId)>,
}

/// How many bytes of a name may be part of another name. Atoms in code have at most 255 bytes, and
/// the compiler makes longer names from the names of functions.
const LONGEST_NAME: usize = 200;

/// The name of a function's instrumented body, unless the module has a function of that name. The
/// function under the original name announces itself and calls the body.
pub fn body_name(function: &FunctionId) -> Atom {
    Atom::new(format!("@{}", end_of_body(&function.name)))
}

/// The end of the name of a body. EUnit takes every function whose name ends in `_test` or `_test_`
/// for a test.
fn end_of_body(name: &Atom) -> String {
    let end = end_of_name(name);
    let mark = if end.ends_with("_test") || end.ends_with("_test_") {
        "@"
    } else {
        ""
    };
    format!("{end}{mark}")
}

/// What the name of a native copy ends in.
const NATIVE: &str = "@native";

/// The name of a copy of a module without instrumentation: functions that are not followed run there.
pub fn native_copy(module: &Atom) -> Atom {
    Atom::new(format!("{}{NATIVE}", module.as_str()))
}

/// The name of the module that a module is a native copy of, or of the module itself.
pub fn without_native(module: &Atom) -> Atom {
    let name = module.as_str();
    name.strip_suffix(NATIVE)
        .map_or_else(|| module.clone(), Atom::new)
}

/// Whether the compiler would make names that are too long from the name of a function.
pub fn is_long_name(name: &Atom) -> bool {
    name.as_str().len() > LONGEST_NAME
}

/// The end of a name, as much as fits into another.
fn end_of_name(name: &Atom) -> &str {
    let name = name.as_str();
    let first = name.len().saturating_sub(LONGEST_NAME);
    let mut ends = (first..=name.len()).filter_map(|start| name.get(start..));
    ends.next().unwrap_or(name)
}

/// The names of the bodies of a module's functions. Each is unique in the module.
fn body_names(functions: &[Function]) -> Vec<Atom> {
    let mut taken: HashSet<FunctionId> = functions.iter().map(|it| it.id.clone()).collect();
    let mut name_body = |function: &FunctionId| {
        let end = end_of_body(&function.name);
        let mut body = FunctionId {
            name: body_name(function),
            arity: function.arity,
        };
        let mut number = 0_u64;
        while !taken.insert(body.clone()) {
            number += 1;
            body.name = Atom::new(format!("@{number}@{end}"));
        }
        body.name
    };
    functions.iter().map(|it| name_body(&it.id)).collect()
}

impl Program {
    /// A program of these modules, given with the names under which they are loaded. They are
    /// numbered in this order.
    pub fn new(modules: impl IntoIterator<Item = (Module, Atom)>) -> Self {
        let mut program = Self::default();
        for (flat, loaded_as) in modules {
            program.add(flat, loaded_as);
        }
        for module in &mut program.modules {
            let planned = PlannedModule {
                flat: &module.flat,
                functions: &module.functions,
                is_copy: module.loaded_as != module.name,
            };
            module.plan = Plan::new(&planned, &program.exports);
        }
        program
    }

    fn add(&mut self, flat: Module, loaded_as: Atom) {
        let number = self.modules.len();
        self.by_name.insert(flat.name.clone(), number);
        let functions = ModuleIndex::new(number, &flat);
        self.exports.add(&flat, &functions);
        let mut locals = Vec::new();
        let mut places = Vec::with_capacity(flat.site_count as usize);
        for (index, function) in flat.functions.iter().enumerate() {
            places.extend(statement_places(function, index));
            locals.extend(local_functions(function));
        }
        locals.sort_unstable();
        places.sort_unstable_by_key(|(site, _)| *site);
        self.modules.push(ProgramModule {
            name: flat.name.clone(),
            loaded_as,
            numbering: Numbering::new(&flat),
            plan: Plan::default(),
            bodies: body_names(&flat.functions),
            functions,
            places: places.into_iter().map(|(_, place)| place).collect(),
            locals,
            flat,
        });
    }

    /// All modules; the index of each is its number in logs.
    pub fn modules(&self) -> &[ProgramModule] {
        &self.modules
    }

    /// The module with this number.
    pub fn module(&self, number: usize) -> Option<&ProgramModule> {
        self.modules.get(number)
    }

    /// The number of the module with this name.
    pub fn number(&self, name: &Atom) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The atoms in patterns of the user's modules: those that the program knows by name.
    pub fn matched_atoms(&self) -> &[Atom] {
        self.matched_atoms.get_or_init(|| {
            let own = self.modules.iter().filter(|it| it.name == it.loaded_as);
            matched_atoms(own.map(|module| &module.flat))
        })
    }

    /// Module and index of an exported function.
    pub fn exported(&self, module: &Atom, function: &FunctionId) -> Option<(usize, usize)> {
        self.exports.exported(module, function)
    }
}

/// The functions of the `letrec`s of a function, with their sites.
fn local_functions(function: &Function) -> impl Iterator<Item = (SiteId, LocalId)> {
    function.statements().flat_map(|statement| {
        let definitions = if let Operation::Letrec { definitions, .. } = &statement.operation {
            definitions.as_slice()
        } else {
            &[]
        };
        definitions.iter().map(|local| (statement.site, local.id))
    })
}

impl ProgramModule {
    /// The index of the function with this name and arity.
    pub fn index(&self, function: &FunctionId) -> Option<usize> {
        self.functions.index(function)
    }

    /// The function with this index.
    pub fn function(&self, index: usize) -> Option<&Function> {
        self.flat.functions.get(index)
    }

    /// The name of the instrumented body of the function with this index.
    pub fn body_name(&self, index: usize) -> Option<&Atom> {
        self.bodies.get(index)
    }

    /// The function that a site is in, and its statement.
    pub fn statement(&self, site: SiteId) -> Option<(usize, &Statement)> {
        let place = self.places.get(site.index())?;
        let block = self
            .function(place.function)?
            .blocks
            .get(place.block.index())?;
        Some((place.function, block.statements.get(place.index)?))
    }

    /// The number of a callable in its announcements. Functions have the even numbers, funs and then
    /// the functions of `letrec`s the odd ones.
    pub fn announced_as(&self, callable: Callable) -> Option<u32> {
        let (half, is_odd) = match callable {
            Callable::Function(index) => (u32::try_from(index).ok()?, 0),
            Callable::Fun(site) => (site.0, 1),
            Callable::Local(site, id) => {
                let position = self.locals.binary_search(&(site, id)).ok()?;
                let behind = u32::try_from(position).ok()?;
                (self.flat.site_count.checked_add(behind)?, 1)
            }
        };
        half.checked_mul(2)?.checked_add(is_odd)
    }

    /// The callable that announces itself with this number.
    pub fn announced(&self, number: u32) -> Option<Callable> {
        let half = number / 2;
        if number.is_multiple_of(2) {
            return Some(Callable::Function(half as usize));
        }
        match half.checked_sub(self.flat.site_count) {
            None => Some(Callable::Fun(SiteId(half))),
            Some(position) => {
                let (site, id) = self.locals.get(position as usize)?;
                Some(Callable::Local(*site, *id))
            }
        }
    }

    /// The callable that runs at a site.
    pub fn callable_at(&self, site: SiteId) -> Option<Callable> {
        self.places.get(site.index()).map(|place| place.callable)
    }

    /// The top-level function that contains a callable, and the callable's parameters and body.
    pub fn callable(&self, callable: Callable) -> Option<(usize, &Fun)> {
        match callable {
            Callable::Function(index) => Some((index, &self.function(index)?.fun)),
            Callable::Fun(site) => {
                let (function, statement) = self.statement(site)?;
                let Operation::Fun(fun) = &statement.operation else {
                    return None;
                };
                Some((function, fun))
            }
            Callable::Local(site, id) => {
                let (function, statement) = self.statement(site)?;
                let Operation::Letrec { definitions, .. } = &statement.operation else {
                    return None;
                };
                let definition = definitions.iter().find(|local| local.id == id)?;
                Some((function, &definition.fun))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use flattener::{flatten, parse_module};

    use super::*;

    #[test]
    fn bodies_do_not_look_like_tests() {
        for name in ["f_test", "f_test_", "_test"] {
            let name = Atom::new(name);
            let body = body_name(&FunctionId { name, arity: 0 });
            let body = body.as_str();
            assert!(
                !body.ends_with("_test") && !body.ends_with("_test_"),
                "{body}"
            );
        }
    }

    #[test]
    fn bodies_have_names_of_their_own() {
        let long = "ü".repeat(126);
        let names = [
            "f",
            "@f",
            "@1@f",
            "@@f",
            &format!("{long}a"),
            &format!("x{long}a"),
        ];
        let functions = names.map(|name| format!("'{name}'/0 = fun () -> 1\n"));
        let text = format!("module 'm' [] attributes []\n{}end\n", functions.concat());
        let module = flatten(parse_module(&text).expect("it is a module")).expect("a program");
        let program = Program::new([(module, Atom::new("m"))]);
        let module = program.module(0).expect("there is one");
        let bodies = (0..names.len()).filter_map(|index| module.body_name(index));
        let mut all: Vec<&str> = bodies.map(Atom::as_str).chain(names).collect();
        assert!(all.iter().all(|name| name.len() <= 255));
        assert_eq!(module.body_name(2).map(Atom::as_str), Some("@@1@f"));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2 * names.len(), "{all:?}");
    }
}
