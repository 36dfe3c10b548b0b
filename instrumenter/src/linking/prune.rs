//! Drops the functions of library modules that a program cannot reach.

use std::collections::HashMap;

use erlang_term::Atom;
use flattener::flat::{FunctionId, Module};
use flattener::passes::number_sites;

use super::reach::Reach;

/// The library modules, sorted by name, with only those functions that the program can reach. Calls
/// and funs count as far as the text shows them.
pub(super) fn prune(modules: &[Module], library: &HashMap<Atom, Module>) -> Vec<Module> {
    let reached = reached(modules, library);
    let mut sorted: Vec<&Module> = library.values().collect();
    sorted.sort_by(|left, right| left.name.cmp(&right.name));
    let pruned = sorted.into_iter().map(|it| only_reached(it, &reached));
    pruned.filter(|it| !it.functions.is_empty()).collect()
}

/// The functions of library modules that the program can reach.
fn reached(modules: &[Module], library: &HashMap<Atom, Module>) -> Reach {
    let mut reach = Reach::of_own(modules);
    for name in library.keys() {
        reach.know(name, library);
    }
    reach
}

fn only_reached(module: &Module, reach: &Reach) -> Module {
    let is_reached = |id: &FunctionId| reach.is_reached(&module.name, id);
    let functions = module.functions.iter();
    let exports = module.exports.iter();
    number_sites::run(Module {
        name: module.name.clone(),
        exports: exports.filter(|id| is_reached(id)).cloned().collect(),
        attributes: Vec::new(),
        functions: functions.filter(|it| is_reached(&it.id)).cloned().collect(),
        annotations: module.annotations.clone(),
        site_count: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::module;

    #[test]
    fn only_reachable_functions_stay() {
        let own = module("m", "'f'/0 = fun () -> call 'b':'f'()");
        let library = [
            module(
                "b",
                "'f'/0 = fun () -> apply 'g'/0()
                 'g'/0 = fun () -> call 'a':'f'({fun 'b':'h'/0})
                 'h'/0 = fun () -> 1
                 'unused'/0 = fun () -> call 'c':'f'()",
            ),
            module(
                "a",
                "'unused'/0 = fun () -> 1
                 'f'/1 = fun (X) -> do call 'm':'f'() X",
            ),
            module("c", "'f'/0 = fun () -> 1"),
        ];
        let library = library.map(|module| (module.name.clone(), module));
        let pruned = prune(&[own], &HashMap::from(library));
        let functions = |module: &Module| -> Vec<String> {
            let functions = module.functions.iter();
            functions.map(|it| it.id.to_string()).collect()
        };
        let [a, b] = pruned.as_slice() else {
            panic!("two modules are reached");
        };
        assert_eq!((a.name.as_str(), functions(a)), ("a", vec!["'f'/1".into()]));
        assert_eq!(
            (b.name.as_str(), functions(b)),
            ("b", vec!["'f'/0".into(), "'g'/0".into(), "'h'/0".into()])
        );
        let sites: Vec<u32> = a.statements().map(|it| it.site.0).collect();
        assert_eq!((sites, a.site_count), (vec![0], 1));
    }
}
