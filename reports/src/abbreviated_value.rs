//! Values that are too long for a test: what of them is compared.

use erlang_term::read_integer;

use crate::printed_value::{MODULUS, Shape, Unknown, bytes, unquoted};

/// The longest value that is written out, in characters.
pub(crate) const LONG: usize = 1_000;

/// Long elements are not compared one by one if there are more than this.
const ELEMENTS: usize = 10;

/// Parts up to this length are always written out.
const SHORT: usize = 40;

/// The same value, with only the sizes of its long parts.
pub(crate) fn abbreviated(shape: Shape) -> Shape {
    within(shape, LONG)
}

fn within(shape: Shape, limit: usize) -> Shape {
    if shape.to_string().chars().count() <= limit {
        return shape;
    }
    let all = |elements: Vec<Shape>| -> Vec<Shape> {
        let share = (limit / elements.len().max(1)).max(SHORT);
        elements.into_iter().map(|it| within(it, share)).collect()
    };
    match shape {
        Shape::List(elements, None) if elements.len() <= ELEMENTS => {
            Shape::List(all(elements), None)
        }
        Shape::List(elements, None) => Shape::Unknown(Unknown::List(elements.len())),
        // Guards cannot test the length of an improper list.
        Shape::List(elements, Some(_)) => {
            let first = elements.into_iter().take(ELEMENTS).collect();
            Shape::List(all(first), Some(Box::new(Shape::Unknown(Unknown::Any))))
        }
        Shape::Tuple(elements) if elements.len() <= ELEMENTS => Shape::Tuple(all(elements)),
        Shape::Tuple(elements) => Shape::Unknown(Unknown::Tuple(elements.len())),
        Shape::Map(pairs) => Shape::Unknown(Unknown::Map(pairs.len())),
        Shape::Number(text) => Shape::Unknown(Unknown::Integer(remainder(&text))),
        Shape::Text(text) => Shape::Unknown(Unknown::List(unquoted(&text).chars().count())),
        Shape::Bits(text) => Shape::Unknown(match bytes(&text) {
            Some((bytes, last)) => Unknown::Bits((bytes.len() * 8 + last).saturating_sub(8)),
            None => Unknown::Any,
        }),
        other @ (Shape::Atom(_) | Shape::Unknown(_)) => other,
    }
}

/// The remainder of an integer for [`MODULUS`], with its sign, as `rem` computes it.
fn remainder(text: &str) -> i64 {
    let value = read_integer(text).unwrap_or_default();
    i64::try_from(value % MODULUS).unwrap_or(0)
}
