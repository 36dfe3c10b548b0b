//! Patterns with guards, for values that cannot be written out.

use crate::printed_value::{MODULUS, Shape, Unknown};

/// A pattern that a value matches, with a guard where necessary: a map pattern would match larger
/// maps, unknown parts are compared by type, and long parts by size.
pub(super) fn pattern(shape: &Shape) -> String {
    let mut writer = PatternWriter::default();
    let text = writer.term(shape);
    match writer.guard() {
        Some(guard) => format!("{text} when {guard}"),
        None => text,
    }
}

/// Writes patterns, and keeps the guards of their variables.
#[derive(Default)]
pub(super) struct PatternWriter {
    guards: Vec<String>,
    /// The end of the names of variables.
    suffix: String,
}

impl PatternWriter {
    /// Its variables have names that end like this.
    pub(super) fn with_suffix(suffix: String) -> Self {
        let guards = Vec::new();
        Self { guards, suffix }
    }

    /// What holds for its variables, if there are any.
    pub(super) fn guard(&self) -> Option<String> {
        (!self.guards.is_empty()).then(|| self.guards.join(" andalso "))
    }

    /// A pattern without its guard.
    pub(super) fn term(&mut self, shape: &Shape) -> String {
        match shape {
            // Newer compilers warn about a plain zero in a pattern.
            Shape::Number(text) if text == "0.0" => "+0.0".to_owned(),
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
            Shape::Map(_) if shape.is_exact() => {
                self.guarded("Map", |name| format!("{name} =:= {shape}"))
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
        let mut texts = Vec::new();
        for (key, value) in pairs.iter().filter(|it| it.0.is_exact()) {
            texts.push(format!("{key} := {}", self.term(value)));
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
        let name = format!("{kind}{}{}", self.guards.len() + 1, self.suffix);
        self.guards.push(test(&name));
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abbreviated_value::abbreviated;
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
