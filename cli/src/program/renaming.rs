//! Modules of the user that a BEAM cannot load under their own names, because it needs the modules
//! of OTP with these names itself.
//!
//! Such a module runs under another name, in a search and in its confirmation. Stack traces, results
//! and reports show the name that the user knows.

use erlang_term::{Atom, Term};
use flattener::{ast, flat};
use instrumenter::linking::copy_name;

use crate::beam::{BeamError, Helper, RUNTIME_BEAMS};
use crate::failure::Failure;

/// The modules with other names; usually none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renaming {
    modules: Vec<RenamedModule>,
}

/// A module of the user.
#[derive(Clone, Debug)]
pub(crate) struct NamedModule {
    name: Atom,
    exports: Vec<(Atom, u32)>,
}

impl From<&ast::CoreModule> for NamedModule {
    fn from(module: &ast::CoreModule) -> Self {
        let exports = module.exports.iter();
        Self {
            name: module.name.clone(),
            exports: exports.map(|it| (it.name.clone(), it.arity)).collect(),
        }
    }
}

impl From<&flat::Module> for NamedModule {
    fn from(module: &flat::Module) -> Self {
        let exports = module.exports.iter();
        Self {
            name: module.name.clone(),
            exports: exports.map(|it| (it.name.clone(), it.arity)).collect(),
        }
    }
}

#[derive(Clone, Debug)]
struct RenamedModule {
    name: Atom,
    loaded_as: Atom,
    exports: Vec<(Atom, u32)>,
}

impl Renaming {
    /// Finds the modules that need other names.
    pub(crate) fn find(
        helper: &Helper,
        modules: impl IntoIterator<Item = NamedModule>,
    ) -> Result<Self, Failure> {
        let modules: Vec<NamedModule> = modules.into_iter().collect();
        let names: Vec<Atom> = modules.iter().map(|it| it.name.clone()).collect();
        let needed = needed_by_node(helper, &names)?;
        let renamed = modules.into_iter().filter(|it| needed.contains(&it.name));
        let modules = renamed.map(|NamedModule { name, exports }| RenamedModule {
            loaded_as: copy_name(&name),
            name,
            exports,
        });
        Ok(Self {
            modules: modules.collect(),
        })
    }

    /// The modules that have other names in a build folder. Their code is compiled already.
    pub(crate) fn of_build(names: impl Iterator<Item = (Atom, Atom)>) -> Self {
        let renamed = names.filter(|(name, loaded_as)| name != loaded_as);
        let modules = renamed.map(|(name, loaded_as)| RenamedModule {
            name,
            loaded_as,
            exports: Vec::new(),
        });
        Self {
            modules: modules.collect(),
        }
    }

    /// Whether all modules keep their names.
    pub(crate) fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// The names of the modules that have others.
    pub(crate) fn names(&self) -> Vec<&Atom> {
        self.modules.iter().map(|it| &it.name).collect()
    }

    /// The name under which a module is loaded.
    pub(crate) fn loaded_as<'name>(&'name self, name: &'name Atom) -> &'name Atom {
        let renamed = self.modules.iter().find(|it| it.name == *name);
        renamed.map_or(name, |it| &it.loaded_as)
    }

    /// Names, and those under which they are loaded: `[{Name, Alias}]`.
    pub(crate) fn aliases(&self) -> Term {
        let alias = |it: &RenamedModule| {
            let names = [&it.name, &it.loaded_as];
            Term::Tuple(names.map(|name| Term::Atom(name.clone())).to_vec())
        };
        Term::list(self.modules.iter().map(alias))
    }

    /// For the compiler: `[{Name, Alias, Exports}]`.
    pub(crate) fn renamings(&self) -> Term {
        let function = |(name, arity): &(Atom, u32)| {
            let arity = Term::Integer(i64::from(*arity).into());
            Term::Tuple(vec![Term::Atom(name.clone()), arity])
        };
        let renaming = |it: &RenamedModule| {
            Term::Tuple(vec![
                Term::Atom(it.name.clone()),
                Term::Atom(it.loaded_as.clone()),
                Term::list(it.exports.iter().map(function)),
            ])
        };
        Term::list(self.modules.iter().map(renaming))
    }
}

/// Those of these names that belong to modules which a BEAM needs to run anything.
pub(crate) fn needed_by_node(helper: &Helper, names: &[Atom]) -> Result<Vec<Atom>, Failure> {
    let all = Term::list(names.iter().map(|name| Term::Atom(name.clone())));
    let command = Term::Tuple(vec![Term::atom("needed"), all]);
    let answer = helper.call(command)?;
    let answer = answer.map_err(|messages| BeamError::refused("names of modules", messages))?;
    let needed = answer.as_list().unwrap_or_default();
    let is_ours = |name: &Atom| RUNTIME_BEAMS.iter().any(|it| it.0 == name.as_str());
    let is_needed = |name: &&Atom| needed.contains(&Term::Atom((*name).clone())) || is_ours(name);
    Ok(names.iter().filter(is_needed).cloned().collect())
}
