//! Values without what differs from one to the next: `{open,integer()}`.

use erlang_term::Term;

/// Tuples with more elements are not shown element by element.
const MOST_ELEMENTS: usize = 6;

/// Parts this deep are not shown.
const DEEPEST: usize = 3;

/// The shape of a value. Atoms stay, other values become their types.
pub(super) fn shape(term: &Term) -> String {
    shape_at(term, 0)
}

fn shape_at(term: &Term, depth: usize) -> String {
    match term {
        Term::Atom(_) => term.to_string(),
        Term::Integer(_) => "integer()".to_owned(),
        Term::Float(_) => "float()".to_owned(),
        Term::Bits(_, 8) => "binary()".to_owned(),
        Term::Bits(..) => "bitstring()".to_owned(),
        Term::ExternalFun(_) | Term::TableFun(_) => "fun()".to_owned(),
        Term::Map(_) => "map()".to_owned(),
        Term::List(elements, None) if elements.is_empty() => "[]".to_owned(),
        Term::List(_, None) => "[_|_]".to_owned(),
        Term::List(_, Some(_)) => "[_|_]".to_owned(),
        Term::Tuple(elements) if elements.len() > MOST_ELEMENTS || depth >= DEEPEST => {
            match elements.first() {
                Some(tag @ Term::Atom(_)) => format!("{{{tag},...}}"),
                Some(_) | None => "tuple()".to_owned(),
            }
        }
        Term::Tuple(elements) => {
            let parts: Vec<String> = elements.iter().map(|it| shape_at(it, depth + 1)).collect();
            format!("{{{}}}", parts.join(","))
        }
    }
}
