//! Patterns with guards, for values that cannot be written out.

use erlang_term::read_integer;

use crate::printed_value::{MODULUS, Shape, Unknown, bytes, unquoted};

/// The longest value that is written out, in characters.
pub(super) const LONG: usize = 1_000;

/// Long elements are not compared one by one if there are more than this.
const ELEMENTS: usize = 10;

/// Parts up to this length are always written out.
const SHORT: usize = 40;

/// A value as source; all of it must be known.
pub(super) fn source(shape: &Shape) -> String {
    let mut writer = PatternWriter {
        is_pattern: false,
        guards: Vec::new(),
    };
    writer.term(shape)
}

/// A pattern that a value matches, with a guard where necessary: a map pattern would match larger
/// maps, unknown parts are compared by type, and long parts by size.
pub(super) fn pattern(shape: &Shape) -> String {
    let mut writer = PatternWriter {
        is_pattern: true,
        guards: Vec::new(),
    };
    let mut text = writer.term(shape);
    if !writer.guards.is_empty() {
        text = format!("{text} when {}", writer.guards.join(" andalso "));
    }
    text
}

/// The same value, with only the sizes of its long parts.
pub(super) fn abbreviated(shape: Shape) -> Shape {
    within(shape, LONG)
}

fn within(shape: Shape, limit: usize) -> Shape {
    if source(&shape).chars().count() <= limit {
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

struct PatternWriter {
    is_pattern: bool,
    guards: Vec<String>,
}

impl PatternWriter {
    fn term(&mut self, shape: &Shape) -> String {
        match shape {
            // Newer compilers warn about a plain zero in a pattern.
            Shape::Number(text) if self.is_pattern && text == "0.0" => "+0.0".to_owned(),
            Shape::Number(text) | Shape::Atom(text) | Shape::Text(text) | Shape::Bits(text) => {
                text.clone()
            }
            Shape::List(elements, tail) => {
                let elements = self.all(elements);
                match tail {
                    Some(tail) => format!("[{elements}|{}]", self.term(tail)),
                    None => format!("[{elements}]"),
                }
            }
            Shape::Tuple(elements) => format!("{{{}}}", self.all(elements)),
            Shape::Map(_) if self.is_pattern && shape.is_exact() => {
                let value = source(shape);
                self.guarded("Map", |name| format!("{name} =:= {value}"))
            }
            Shape::Map(pairs) => self.map(pairs),
            Shape::Unknown(unknown) => self.unknown(*unknown),
        }
    }

    fn all(&mut self, elements: &[Shape]) -> String {
        let texts: Vec<String> = elements.iter().map(|it| self.term(it)).collect();
        texts.join(",")
    }

    /// A pattern has no keys that cannot be compared.
    fn map(&mut self, pairs: &[(Shape, Shape)]) -> String {
        let arrow = if self.is_pattern { ":=" } else { "=>" };
        let mut texts = Vec::new();
        for (key, value) in pairs {
            if self.is_pattern && !key.is_exact() {
                continue;
            }
            texts.push(format!("{} {arrow} {}", source(key), self.term(value)));
        }
        format!("#{{{}}}", texts.join(","))
    }

    fn unknown(&mut self, unknown: Unknown) -> String {
        match unknown {
            Unknown::Fun => self.guarded("Fun", |name| format!("is_function({name})")),
            Unknown::Pid => self.guarded("Pid", |name| format!("is_pid({name})")),
            Unknown::Port => self.guarded("Port", |name| format!("is_port({name})")),
            Unknown::Reference => self.guarded("Ref", |name| format!("is_reference({name})")),
            Unknown::List(size) => self.guarded("List", |it| format!("length({it}) =:= {size}")),
            Unknown::Tuple(size) => {
                self.guarded("Tuple", |name| format!("tuple_size({name}) =:= {size}"))
            }
            Unknown::Map(size) => self.guarded("Map", |it| format!("map_size({it}) =:= {size}")),
            Unknown::Bits(size) => self.guarded("Bits", |it| format!("bit_size({it}) =:= {size}")),
            Unknown::Integer(rest) => {
                self.guarded("Integer", |it| format!("{it} rem {MODULUS} =:= {rest}"))
            }
            Unknown::Any => "_".to_owned(),
        }
    }

    /// A variable with a guard.
    fn guarded(&mut self, kind: &str, test: impl Fn(&str) -> String) -> String {
        let name = format!("{kind}{}", self.guards.len() + 1);
        self.guards.push(test(&name));
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printed_value::read_shape;

    fn of(text: &str) -> String {
        let shape = read_shape(text).expect("it can be read");
        pattern(&abbreviated(shape))
    }

    #[test]
    fn unknown_parts_are_variables() {
        assert_eq!(
            of("{#Fun<m.1.2>,[<0.1.0>|#Ref<0.1.2.3>],0.0}"),
            "{Fun1,[Pid2|Ref3],+0.0} when is_function(Fun1) andalso is_pid(Pid2) andalso \
             is_reference(Ref3)"
        );
    }

    #[test]
    fn a_map_is_compared_as_a_whole_or_by_its_keys() {
        assert_eq!(
            of("{badmap,#{a => #{}}}"),
            "{badmap,Map1} when Map1 =:= #{a => #{}}"
        );
        assert_eq!(
            of("#{a => #Port<0.1>,#Port<0.2> => 1}"),
            "#{a := Port1} when is_port(Port1)"
        );
    }

    #[test]
    fn long_values_are_compared_by_size() {
        let long = format!("[{}]", vec!["12345"; 500].join(","));
        assert_eq!(of(&long), "List1 when length(List1) =:= 500");
        let text = format!(
            "{{ok,\"{}\",<<\"{}\">>}}",
            "a".repeat(2_000),
            "b".repeat(600)
        );
        assert_eq!(
            of(&text),
            "{ok,List1,Bits2} when length(List1) =:= 2000 andalso bit_size(Bits2) =:= 4800"
        );
        let number = format!("-1{}", "0".repeat(2_000));
        assert_eq!(
            of(&number),
            "Integer1 when Integer1 rem 1000000007 =:= -642351204"
        );
        let tuple = format!("{{{}}}", vec!["a"; 1_000].join(","));
        assert_eq!(of(&tuple), "Tuple1 when tuple_size(Tuple1) =:= 1000");
    }
}
