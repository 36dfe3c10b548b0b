//! Maps that are structs.

use super::elixir_names::atom_text;
use crate::printed_value::Expression;

/// A struct that has a form of its own in Elixir.
#[derive(Debug, PartialEq)]
pub(super) enum ShownStruct<'map> {
    /// `1..3//2`.
    Range {
        first: &'map str,
        last: &'map str,
        step: &'map str,
    },
    /// `MapSet.new([1])`, with its elements.
    Set(Vec<&'map Expression>),
    /// `%Cart.Item{price: 0}`: the name of its module as text, and its other fields.
    Named(String, Vec<(String, &'map Expression)>),
}

impl<'map> ShownStruct<'map> {
    /// The struct that a map is, if its keys are atoms and it names a module.
    pub(super) fn of(pairs: &'map [(Expression, Expression)]) -> Option<Self> {
        let fields: Option<Vec<(String, &Expression)>> = pairs
            .iter()
            .map(|(key, value)| Some((text_of(key)?, value)))
            .collect();
        let mut fields = fields?;
        let place = fields.iter().position(|it| it.0 == "__struct__")?;
        let module = text_of(fields.remove(place).1)?;
        let special = match module.as_str() {
            "Elixir.Range" => range(&fields),
            "Elixir.MapSet" => set(&fields),
            _ => None,
        };
        Some(special.unwrap_or(Self::Named(module, fields)))
    }
}

/// The text of an atom.
pub(super) fn text_of(expression: &Expression) -> Option<String> {
    match expression {
        Expression::Atom(source) => Some(atom_text(source)),
        Expression::Number(_)
        | Expression::Text(_)
        | Expression::Bits(_)
        | Expression::List(..)
        | Expression::Tuple(_)
        | Expression::Map(_)
        | Expression::Handle(..)
        | Expression::ExternalFun(_)
        | Expression::TableFun(_)
        | Expression::Call(..)
        | Expression::Second(_)
        | Expression::Changed(..)
        | Expression::Variable(_)
        | Expression::Cut => None,
    }
}

fn range<'map>(fields: &[(String, &'map Expression)]) -> Option<ShownStruct<'map>> {
    let integer = |name: &str| {
        let field = fields.iter().find(|it| it.0 == name)?;
        let Expression::Number(text) = field.1 else {
            return None;
        };
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_plain = digits.chars().all(|it| it.is_ascii_digit());
        is_plain.then_some(text.as_str())
    };
    let step = integer("step").filter(|it| *it != "0")?;
    (fields.len() == 3).then_some(ShownStruct::Range {
        first: integer("first")?,
        last: integer("last")?,
        step,
    })
}

/// Older releases have a version in a set too.
fn set<'map>(fields: &[(String, &'map Expression)]) -> Option<ShownStruct<'map>> {
    let (_, map) = fields.iter().find(|it| it.0 == "map")?;
    let is_known = |name: &str| matches!(name, "map" | "version");
    let Expression::Map(pairs) = map else {
        return None;
    };
    let is_present = |value: &Expression| *value == Expression::List(Vec::new(), None);
    let is_set =
        fields.iter().all(|it| is_known(&it.0)) && pairs.iter().all(|it| is_present(&it.1));
    is_set.then(|| ShownStruct::Set(pairs.iter().map(|it| &it.0).collect()))
}
