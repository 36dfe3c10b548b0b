//! The table of all functions that are known.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::LazyLock;

use rustc_hash::FxHasher;

use crate::model::Model;
use crate::{
    arithmetic, atoms, binary_atoms, binary_conversions, binary_parts, comparisons, decimals,
    lists, map_generators, maps, numerals, process_calls, raising, tuples, type_checks,
};

/// A function. Its module is not hashed: few names stand in several modules.
#[derive(PartialEq, Eq)]
struct FunctionKey<'name> {
    module: &'name str,
    name: &'name str,
    arity: u32,
}

impl Hash for FunctionKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.arity.hash(state);
    }
}

struct Table {
    models: Vec<Model>,
    places: HashMap<FunctionKey<'static>, usize, BuildHasherDefault<FxHasher>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let families = [
        arithmetic::OPERATORS,
        arithmetic::ROUNDINGS,
        arithmetic::ENTRIES,
        comparisons::COMPARISONS,
        comparisons::ENTRIES,
        type_checks::TESTS_OF_KINDS,
        type_checks::ENTRIES,
        lists::ENTRIES,
        tuples::ENTRIES,
        maps::ENTRIES,
        map_generators::ENTRIES,
        numerals::ENTRIES,
        decimals::ENTRIES,
        atoms::ENTRIES,
        binary_parts::ENTRIES,
        binary_conversions::ENTRIES,
        binary_atoms::ENTRIES,
        process_calls::ENTRIES,
    ];
    let models = families.into_iter().flatten().copied();
    let models: Vec<Model> = models.chain(raising::entries()).collect();
    let keys = models.iter().map(|it| FunctionKey {
        module: it.module,
        name: it.name,
        arity: it.arity,
    });
    let places = keys.zip(0..).collect();
    Table { models, places }
});

/// All functions that are known.
pub fn all() -> &'static [Model] {
    &TABLE.models
}

/// What is known of a function.
pub fn find(module: &str, name: &str, arity: u32) -> Option<&'static Model> {
    let table = &*TABLE;
    let place = table.places.get(&FunctionKey {
        module,
        name,
        arity,
    })?;
    table.models.get(*place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_function_is_in_two_families() {
        assert_eq!(TABLE.places.len(), TABLE.models.len());
    }
}
