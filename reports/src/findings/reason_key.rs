//! The part of a reason that does not depend on the input.
//!
//! `error({not_found, Key})` is one reason, whatever `Key` is: `{not_found,_}`. The code shows what
//! is constant where it raises by itself. Elsewhere numbers, texts, lists and maps count as values.
//! Atoms count as words, unless they are part of the input or made by the program.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use erlang_term::Term;
use flattener::flat::visit::Visitor;
use flattener::flat::{Function, Value};

use super::raised_values::raised_values;
use crate::crash_site::CrashSite;
use crate::explored_code::ExploredCode;
use crate::printed_value::{Shape, read_shape};
use crate::reason_words::{ANY, BEFORE_VALUE, WORDS, tagged, unread};

/// Deeper parts of a reason count as values.
const DEPTH: usize = 4;

/// Finds keys of reasons in some code.
#[derive(Debug)]
pub(crate) struct ReasonKeys<'code> {
    code: &'code ExploredCode<'code>,
    /// The atoms in the text of the program, as they are printed.
    atoms: OnceCell<HashSet<String>>,
    /// The values that lines raise, by function, line and class.
    raised: RefCell<HashMap<RaisingLine, Rc<[&'code Value]>>>,
}

type RaisingLine = (String, i64, String);

impl<'code> ReasonKeys<'code> {
    pub(crate) fn new(code: &'code ExploredCode<'code>) -> Self {
        Self {
            code,
            atoms: OnceCell::new(),
            raised: RefCell::default(),
        }
    }

    /// The key of a reason, given where and for which input it was raised.
    pub(crate) fn key(
        &self,
        class: &str,
        reason: &str,
        site: Option<&CrashSite>,
        input: &[Term],
    ) -> String {
        if let Some(function) = broken_invariant(reason) {
            return format!("{{invariant,{function},_}}");
        }
        let Some(shape) = read_shape(reason) else {
            return unread(reason);
        };
        let run = RaisedReason {
            keys: self,
            input: OnceCell::new(),
            arguments: input,
        };
        let site = site.filter(|it| it.callee.is_none());
        let raised = site.map(|site| self.raised(site, class));
        let mut raised = raised.iter().flat_map(|it| it.iter());
        let known = raised.find_map(|value| run.of_raised(value, &shape, DEPTH));
        known.unwrap_or_else(|| run.of_shape(&shape, DEPTH))
    }

    fn raised(&self, site: &CrashSite, class: &str) -> Rc<[&'code Value]> {
        let line = (site.function.clone(), site.line, class.to_owned());
        let mut raised = self.raised.borrow_mut();
        let values = raised.entry(line);
        let values = values.or_insert_with(|| raised_values(self.code, site, class).into());
        Rc::clone(values)
    }

    fn is_word(&self, atom: &str) -> bool {
        let atoms = || {
            let modules = self.code.program.modules().iter();
            let functions = modules.flat_map(|module| &module.flat.functions);
            functions.flat_map(atoms_of).collect()
        };
        WORDS.contains(&atom) || self.atoms.get_or_init(atoms).contains(atom)
    }
}

/// The function, `{m,f,1}`, if a reason says that an invariant is broken. The state says nothing more.
fn broken_invariant(reason: &str) -> Option<&str> {
    let rest = reason.strip_prefix("{invariant,")?;
    let end = rest.find(",1},")?;
    rest.get(..end + 3)
}

fn tuple(elements: impl IntoIterator<Item = String>) -> String {
    let elements: Vec<String> = elements.into_iter().collect();
    format!("{{{}}}", elements.join(","))
}

/// The reason of one run.
struct RaisedReason<'run, 'code> {
    keys: &'run ReasonKeys<'code>,
    arguments: &'run [Term],
    input: OnceCell<Vec<Shape>>,
}

impl RaisedReason<'_, '_> {
    /// The key of a part of a reason that the code makes from this value; `None` if it does not.
    fn of_raised(&self, value: &Value, shape: &Shape, depth: usize) -> Option<String> {
        match (value, shape) {
            (Value::Literal(term), _) => {
                let text = term.to_string();
                (read_shape(&text).as_ref() == Some(shape)).then_some(text)
            }
            (Value::Tuple(values), Shape::Tuple(elements)) if values.len() == elements.len() => {
                let depth = depth.saturating_sub(1);
                let pairs = values.iter().zip(elements);
                let keys = pairs.map(|(value, shape)| self.of_raised(value, shape, depth));
                keys.collect::<Option<Vec<_>>>().map(tuple)
            }
            (Value::Tuple(_), _) => None,
            (Value::Variable(_) | Value::Cons(_) | Value::Function(_), _) => {
                Some(self.of_shape(shape, depth))
            }
        }
    }

    /// The key of a part whose origin is unknown.
    fn of_shape(&self, shape: &Shape, depth: usize) -> String {
        match shape {
            Shape::Atom(atom) if WORDS.contains(&atom.as_str()) => atom.clone(),
            Shape::Atom(atom) if self.keys.is_word(atom) && !self.is_given(shape) => atom.clone(),
            Shape::Tuple(elements) if depth > 0 && !self.is_given(shape) => {
                self.of_tuple(elements, depth - 1)
            }
            Shape::Atom(_)
            | Shape::Tuple(_)
            | Shape::Number(_)
            | Shape::Text(_)
            | Shape::Bits(_)
            | Shape::List(..)
            | Shape::Map(_)
            | Shape::Unknown(_) => ANY.to_owned(),
        }
    }

    fn of_tuple(&self, elements: &[Shape], depth: usize) -> String {
        let mut parts = elements.iter().map(|it| self.of_shape(it, depth));
        match elements.first() {
            Some(Shape::Atom(tag)) if BEFORE_VALUE.contains(&tag.as_str()) => {
                tagged(tag, elements.len())
            }
            Some(Shape::Atom(tag)) if self.keys.is_word(tag) => {
                tuple(std::iter::once(tag.clone()).chain(parts.skip(1)))
            }
            Some(_) => tuple(parts.by_ref()),
            None => tuple([]),
        }
    }

    /// Whether a part of a reason is a part of the input.
    fn is_given(&self, part: &Shape) -> bool {
        let input = || {
            let shapes = self.arguments.iter();
            let shapes = shapes.filter_map(|it| read_shape(&it.to_string()));
            shapes.collect()
        };
        let input = self.input.get_or_init(input);
        input.iter().any(|shape| shape.contains(part))
    }
}

/// The atoms in the text of a function, as they are printed.
fn atoms_of(function: &Function) -> Vec<String> {
    let mut walk = AtomWalk {
        function,
        found: Vec::new(),
    };
    walk.visit_fun(&function.fun);
    walk.found
}

struct AtomWalk<'code> {
    function: &'code Function,
    found: Vec<String>,
}

impl<'code> Visitor<'code> for AtomWalk<'code> {
    fn function(&self) -> &'code Function {
        self.function
    }

    fn visit_literal(&mut self, literal: &'code Term) {
        let atoms = literal.subterms().filter_map(|it| match it {
            Term::Atom(atom) => Some(atom.to_string()),
            Term::Integer(_)
            | Term::Float(_)
            | Term::List(..)
            | Term::Tuple(_)
            | Term::Map(_)
            | Term::Bits(..)
            | Term::ExternalFun(_)
            | Term::TableFun(_) => None,
        });
        self.found.extend(atoms);
    }
}

#[cfg(test)]
mod tests {
    use erlang_term::Atom;
    use flattener::{flatten, parse_module};
    use trace_format::Program;

    use super::*;
    use crate::current_folder::CurrentFolder;

    /// What it raises in which line.
    const RAISES: &str = "module 'm' ['f'/2] attributes []
        'f'/2 = fun (X,Y) ->
          do ( call 'erlang':'throw'(X) -| [1] )
          do ( call 'erlang':'error'({'wrong',X,Y}) -| [2] )
          do ( call 'erlang':'error'(\"no luck\") -| [3] )
          do ( call 'erlang':'exit'('known') -| [4] )
          'other'
        end";

    fn key(line: i64, class: &str, reason: &str, input: &[Term]) -> String {
        let module = parse_module(RAISES).expect("it is a module");
        let module = flatten(module).expect("it is a program");
        let program = Program::new([(module, Atom::new("m"))]);
        let code = ExploredCode {
            program: &program,
            own_modules: 1,
            source_paths: Vec::new(),
            folder: CurrentFolder::default(),
        };
        let site = CrashSite {
            function: "m:f/2".to_owned(),
            file: "m.erl".to_owned(),
            line,
            callee: None,
        };
        ReasonKeys::new(&code).key(class, reason, Some(&site), input)
    }

    #[test]
    fn values_of_the_input_are_left_out() {
        let known = [Term::atom("known"), Term::atom("x")];
        let cases: [(i64, &str, &str, &[Term], &str); 16] = [
            (1, "throw", "12", &[], "_"),
            (1, "throw", "\"text\"", &[], "_"),
            (1, "throw", "#{a => 1}", &[], "_"),
            (1, "throw", "known", &known, "_"),
            (1, "throw", "known", &[], "known"),
            (1, "throw", "made_up", &[], "_"),
            (1, "throw", "{known,1}", &[], "{known,_}"),
            (2, "error", "{wrong,known,[1]}", &known, "{wrong,_,_}"),
            (2, "error", "{wrong,<<1>>,2.5}", &[], "{wrong,_,_}"),
            (3, "error", "\"no luck\"", &[], "\"no luck\""),
            (3, "error", "\"another\"", &[], "_"),
            (4, "exit", "known", &known, "known"),
            (9, "error", "{badmatch,{known,1}}", &[], "{badmatch,_}"),
            (9, "error", "function_clause", &[], "function_clause"),
            (
                9,
                "error",
                "{{badkey,other},[1]}",
                &[],
                "{{badkey,other},_}",
            ),
            (9, "error", "{badmatch,[...", &[], "{badmatch,_}"),
        ];
        for (line, class, reason, input, expected) in cases {
            assert_eq!(
                key(line, class, reason, input),
                expected,
                "{line}: {reason}"
            );
        }
    }
}
