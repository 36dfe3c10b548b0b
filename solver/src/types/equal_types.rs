//! Types that have the same values because they are defined in the same way. Specs of several
//! functions bring each its own copy of a type; a union of copies would have each form many times.

use std::collections::HashMap;

use super::alternative::{Alternative, TypeId};

/// Replaces types in definitions by the first one that is defined in the same way. All definitions
/// stay where they are.
pub fn join_equal(definitions: &mut [Vec<Alternative>]) {
    let first = first_equal(definitions);
    for forms in definitions {
        *forms = renumbered(forms, &first);
    }
}

fn renumbered(forms: &[Alternative], numbers: &[u32]) -> Vec<Alternative> {
    let number = |id: TypeId| {
        let new = numbers.get(id.0 as usize).copied();
        TypeId(new.unwrap_or(id.0))
    };
    forms.iter().map(|it| it.renumbered(number)).collect()
}

/// For each type the first one that is equal. All are taken for equal until a part of them shows that
/// they are not, so types that contain themselves are found too.
fn first_equal(definitions: &[Vec<Alternative>]) -> Vec<u32> {
    let mut first = vec![0; definitions.len()];
    loop {
        let mut seen: HashMap<Vec<Alternative>, u32> = HashMap::new();
        let numbered = (0_u32..).zip(definitions);
        let finer = numbered.map(|(number, forms)| {
            let forms = renumbered(forms, &first);
            *seen.entry(forms).or_insert(number)
        });
        let finer: Vec<u32> = finer.collect();
        if finer == first {
            return first;
        }
        first = finer;
    }
}

#[cfg(test)]
mod tests {
    use erlang_term::Atom;

    use super::*;

    fn list_of(own: u32, element: u32) -> Vec<Alternative> {
        let cell = Alternative::Cons(TypeId(element), TypeId(own));
        vec![Alternative::Nil, cell]
    }

    #[test]
    fn copies_of_a_list_are_one_type() {
        let atom = |name: &str| vec![Alternative::Atom(Atom::new(name))];
        let mut definitions = vec![
            atom("a"),
            list_of(1, 0),
            atom("a"),
            list_of(3, 2),
            atom("b"),
            list_of(5, 4),
            vec![Alternative::Tuple(vec![TypeId(1), TypeId(3), TypeId(5)])],
        ];
        join_equal(&mut definitions);
        assert_eq!(definitions[3], list_of(1, 0));
        assert_eq!(definitions[5], list_of(5, 4));
        let joined = Alternative::Tuple(vec![TypeId(1), TypeId(1), TypeId(5)]);
        assert_eq!(definitions[6], [joined]);
    }
}
