//! The table of all functions that are known.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use rustc_hash::FxHasher;

use crate::model::Model;
use crate::{
    arithmetic, atoms, binary_atoms, binary_conversions, binary_parts, comparisons, lists, maps,
    numerals, process_calls, raising, tuples, type_checks,
};

type Key = (&'static str, &'static str, u32);

struct Table {
    models: Vec<Model>,
    places: HashMap<Key, usize, BuildHasherDefault<FxHasher>>,
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
        numerals::ENTRIES,
        atoms::ENTRIES,
        binary_parts::ENTRIES,
        binary_conversions::ENTRIES,
        binary_atoms::ENTRIES,
        process_calls::ENTRIES,
    ];
    let models = families.into_iter().flatten().copied();
    let models: Vec<Model> = models.chain(raising::entries()).collect();
    let keys = models.iter().map(|it| (it.module, it.name, it.arity));
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
    let place = table.places.get(&(module, name, arity))?;
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
