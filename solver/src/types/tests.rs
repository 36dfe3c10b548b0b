//! Tests of types.

use erlang_term::Term;

use super::{Alternative, Field, Signature, TypeId, Types};

const INTEGER: TypeId = TypeId(0);
const LIST: TypeId = TypeId(1);
const TREE: TypeId = TypeId(2);
const LEAF: TypeId = TypeId(3);
const BYTE: TypeId = TypeId(4);
const OPTIONS: TypeId = TypeId(5);
const KEY: TypeId = TypeId(6);
const WORD: TypeId = TypeId(7);
const NEVER: TypeId = TypeId(8);

fn types() -> Types {
    let byte = Alternative::Integer(Some(0.into()), Some(255.into()));
    let atom = |text| Alternative::Atom(erlang_term::Atom::new(text));
    Types::new(vec![
        vec![Alternative::Integer(None, None)],
        vec![Alternative::Cons(INTEGER, LIST), Alternative::Nil],
        vec![Alternative::Tuple(vec![LEAF, TREE, TREE]), atom("leaf")],
        vec![Alternative::Integer(Some(7.into()), None)],
        vec![byte],
        vec![Alternative::Map(vec![Field {
            is_required: true,
            key: KEY,
            value: BYTE,
        }])],
        vec![atom("size")],
        vec![Alternative::Bits(3, 8)],
        vec![Alternative::Tuple(vec![NEVER])],
    ])
}

fn integer(value: i64) -> Term {
    Term::Integer(value.into())
}

#[test]
fn constants_are_of_types() {
    let types = types();
    let list = |elements: &[i64]| Term::list(elements.iter().copied().map(integer));
    assert!(types.contains(LIST, &list(&[])));
    assert!(types.contains(LIST, &list(&[1, 2, 3])));
    assert!(!types.contains(LIST, &Term::list([Term::atom("a")])));
    let improper = Term::List(vec![integer(1)], Some(Box::new(integer(2))));
    assert!(!types.contains(LIST, &improper));
    let leaf = Term::atom("leaf");
    let tree = |key| Term::Tuple(vec![integer(key), leaf.clone(), leaf.clone()]);
    assert!(types.contains(TREE, &tree(7)));
    assert!(!types.contains(TREE, &tree(6)));
    assert!(types.contains(BYTE, &integer(255)));
    assert!(!types.contains(BYTE, &integer(256)));
    let options = |pairs: &[(&str, i64)]| {
        let pairs = pairs.iter();
        Term::Map(pairs.map(|it| (Term::atom(it.0), integer(it.1))).collect())
    };
    assert!(types.contains(OPTIONS, &options(&[("size", 1)])));
    assert!(!types.contains(OPTIONS, &options(&[])));
    assert!(!types.contains(OPTIONS, &options(&[("size", 1), ("more", 1)])));
    assert!(types.contains(WORD, &Term::Bits(vec![0, 0], 3)));
    assert!(!types.contains(WORD, &Term::Bits(vec![0, 0], 8)));
    assert!(!types.contains(NEVER, &Term::Tuple(vec![])));
}

#[test]
fn the_simplest_values_are_of_their_types() {
    let types = types();
    for id in [INTEGER, LIST, TREE, LEAF, BYTE, OPTIONS, KEY, WORD] {
        let simplest = types.simplest(id);
        let simplest = simplest.unwrap_or_else(|| panic!("{id:?} has no value"));
        assert!(types.contains(id, simplest), "{id:?}: {simplest:?}");
    }
    assert_eq!(types.simplest(TREE), Some(&Term::atom("leaf")));
    assert_eq!(types.simplest(NEVER), None);
}

#[test]
fn a_signature_admits_what_one_of_its_clauses_does() {
    let signature = Signature {
        types: types().into(),
        clauses: vec![vec![BYTE, KEY], vec![KEY, BYTE]],
    };
    let size = Term::atom("size");
    assert!(signature.admits(&[integer(1), size.clone()]));
    assert!(signature.admits(&[size.clone(), integer(1)]));
    assert!(!signature.admits(&[size.clone(), size]));
    assert!(!signature.admits(&[integer(1)]));
    assert_eq!(signature.simplest().len(), 2);
}

#[test]
fn texts_are_valid_utf8() {
    let types = Types::new(vec![vec![Alternative::Text]]);
    let text = TypeId(0);
    assert!(types.contains(text, &Term::binary("Zoë")));
    assert!(!types.contains(text, &Term::binary([200])));
    assert!(!types.contains(text, &Term::Bits(vec![64], 4)));
    assert_eq!(types.simplest(text), Some(&Term::binary([])));
}
