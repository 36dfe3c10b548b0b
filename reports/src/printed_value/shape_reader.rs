//! Reads printed values into what a test can compare.

use super::expression::Expression;
use super::expression_reader::read_expression;
use super::printed_shape::{Shape, Unknown};

/// Reads a printed value; `None` if it is too deep or not understood.
pub(crate) fn read_shape(text: &str) -> Option<Shape> {
    shape(read_expression(text)?)
}

fn shape(expression: Expression) -> Option<Shape> {
    let all = |parts: Vec<Expression>| parts.into_iter().map(shape).collect::<Option<Vec<_>>>();
    Some(match expression {
        Expression::Number(text) => Shape::Number(text),
        Expression::Atom(text) => Shape::Atom(text),
        Expression::Text(text) => Shape::Text(text),
        Expression::Bits(text) => Shape::Bits(text),
        Expression::List(elements, tail) => {
            let tail = match tail {
                Some(tail) => Some(Box::new(shape(*tail)?)),
                None => None,
            };
            Shape::List(all(elements)?, tail)
        }
        Expression::Tuple(elements) => Shape::Tuple(all(elements)?),
        Expression::Map(pairs) => {
            let pairs = pairs.into_iter();
            let pairs = pairs.map(|(key, value)| Some((shape(key)?, shape(value)?)));
            Shape::Map(pairs.collect::<Option<Vec<_>>>()?)
        }
        Expression::Handle(unknown, _) => Shape::Unknown(unknown),
        Expression::ExternalFun(_) | Expression::TableFun(_) => Shape::Unknown(Unknown::Fun),
        Expression::Call(..)
        | Expression::Second(_)
        | Expression::Changed(..)
        | Expression::Variable(_)
        | Expression::Cut => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(text: &str) -> Shape {
        Shape::Atom(text.to_owned())
    }

    #[test]
    fn values_are_read() {
        let shape = read_shape(r#"{ok,[1,-2.5e-3|x],#{'a b' => "q\"]"},<<"é>>"/utf8>>}"#);
        let number = |text: &str| Shape::Number(text.to_owned());
        assert_eq!(
            shape,
            Some(Shape::Tuple(vec![
                atom("ok"),
                Shape::List(
                    vec![number("1"), number("-2.5e-3")],
                    Some(Box::new(atom("x")))
                ),
                Shape::Map(vec![(atom("'a b'"), Shape::Text(r#""q\"]""#.to_owned()))]),
                Shape::Bits("<<\"é>>\"/utf8>>".to_owned()),
            ]))
        );
    }

    #[test]
    fn long_integers_are_read() {
        let texts = [
            "1 bsl 1023",
            "1 bsl 1023 - 1",
            "-(1 bsl 1023)",
            "-(3 bsl 200) + 12",
        ];
        for text in texts {
            let shape = read_shape(&format!("{{{text},a}}"));
            let number = Shape::Number(text.to_owned());
            assert_eq!(shape, Some(Shape::Tuple(vec![number, atom("a")])));
        }
    }

    #[test]
    fn parts_that_differ_in_every_run_are_unknown() {
        let cases = [
            ("#Fun<m.1.2>", Unknown::Fun),
            ("fun 'M x':f/2", Unknown::Fun),
            (
                "fun(1) -> fun(_) -> 'end' end; (\"end\") -> 2; (_) -> 0 end",
                Unknown::Fun,
            ),
            ("<0.12.3>", Unknown::Pid),
            ("#Port<0.6>", Unknown::Port),
            ("#Ref<0.1.2.3>", Unknown::Reference),
        ];
        for (text, unknown) in cases {
            let shape = read_shape(&format!("[{text}]"));
            let list = Shape::List(vec![Shape::Unknown(unknown)], None);
            assert_eq!(shape, Some(list), "{text}");
        }
        for text in ["'<0.12.3>'", "\"#Fun<m.1.2>\"", "funny"] {
            let shape = read_shape(text);
            assert!(shape.is_some_and(|it| it.is_exact()), "{text}");
        }
    }

    #[test]
    fn deep_values_and_other_texts_are_not_read() {
        assert_eq!(read_shape(&"[".repeat(10_000)), None);
        for text in ["", "{a", "{a b}", "[a|b,c]", "#{a}", "'a", "a b", "<<1"] {
            assert_eq!(read_shape(text), None, "{text}");
        }
    }
}
