//! Which inputs a program is likely to get.
//!
//! A solver makes whatever fulfils the conditions: numbers of 300 digits, improper lists, funs of the
//! wrong arity, names of modules that nobody has. And it calls servers that do not run. Such crashes
//! are real, but few people act on them.

use erlang_term::{Integer, Term};

use crate::outcome::Outcome;

/// Integers with more bits are unlikely.
const MOST_BITS: u64 = 128;
/// With integers beyond this, limits of the BEAM are no surprise.
const MOST_SIZE: i64 = 1 << 31;
/// Floats above this, or below its inverse, are unlikely.
const MOST_FLOAT: f64 = 1e100;

/// Whether a program is likely to get these arguments, and to end like this.
pub(crate) fn is_plain(arguments: &[Term], outcome: &Outcome) -> bool {
    let parts = || arguments.iter().flat_map(Term::subterms);
    parts().all(is_plain_part) && !is_made_up(&parts, outcome)
}

/// Whether a part of an input is likely. The parts of funs are not looked at.
fn is_plain_part(term: &Term) -> bool {
    match term {
        Term::Integer(Integer::Big(big)) => big.bits() <= MOST_BITS,
        Term::Float(float) => {
            let size = float.abs();
            size == 0.0 || (1.0 / MOST_FLOAT..MOST_FLOAT).contains(&size)
        }
        // A binary may be the tail of an iolist.
        Term::List(_, Some(tail)) => matches!(**tail, Term::Bits(_, 8)),
        Term::Integer(Integer::Small(_))
        | Term::Atom(_)
        | Term::List(_, None)
        | Term::Tuple(_)
        | Term::Map(_)
        | Term::Bits(..)
        | Term::ExternalFun(_)
        | Term::TableFun(_) => true,
    }
}

/// Whether a run crashed only because a part of its input was made up: a fun that takes another
/// number of arguments, a name that is called as a module or function, or a number that exceeds a
/// limit of the BEAM. Or because it called a server that does not run.
fn is_made_up<'term, I: Iterator<Item = &'term Term>>(
    parts: &dyn Fn() -> I,
    outcome: &Outcome,
) -> bool {
    let Outcome::Exception { class, reason, .. } = outcome else {
        return false;
    };
    match reason.as_str() {
        "undef" => outcome
            .stack()
            .first()
            .is_some_and(|called| parts().any(|it| names(it, &called.function))),
        "system_limit" => parts().any(is_huge),
        other if class == "exit" => other.starts_with("{noproc,"),
        other => other.starts_with("{badarity,") && parts().any(is_fun),
    }
}

/// Whether a term is the name of the module or the function in `m:f/1`, or a fun with this function.
fn names(term: &Term, function: &str) -> bool {
    match term {
        Term::Atom(atom) => {
            let name = atom.to_string();
            let rest = function.strip_prefix(&name);
            rest.is_some_and(|it| it.starts_with(':')) || function.contains(&format!(":{name}/"))
        }
        Term::ExternalFun(fun) => function == format!("{}:{}/{}", fun.module, fun.name, fun.arity),
        Term::Integer(_)
        | Term::Float(_)
        | Term::List(..)
        | Term::Tuple(_)
        | Term::Map(_)
        | Term::Bits(..)
        | Term::TableFun(_) => false,
    }
}

fn is_huge(term: &Term) -> bool {
    match term {
        Term::Integer(Integer::Small(small)) => small.abs() > MOST_SIZE,
        Term::Integer(Integer::Big(_)) => true,
        Term::Float(_)
        | Term::Atom(_)
        | Term::List(..)
        | Term::Tuple(_)
        | Term::Map(_)
        | Term::Bits(..)
        | Term::ExternalFun(_)
        | Term::TableFun(_) => false,
    }
}

fn is_fun(term: &Term) -> bool {
    matches!(term, Term::ExternalFun(_) | Term::TableFun(_))
}

#[cfg(test)]
mod tests {
    use erlang_term::TableFun;

    use super::*;
    use crate::outcome::StackEntry;

    fn raised(reason: &str, function: &str) -> Outcome {
        Outcome::Exception {
            class: "error".to_owned(),
            reason: reason.to_owned(),
            stack: vec![StackEntry {
                function: function.to_owned(),
                file: String::new(),
                line: 0,
                is_own: false,
            }],
        }
    }

    fn integer(digits: &str) -> Term {
        Term::Integer(Integer::parse(digits, 10).expect("these are digits"))
    }

    #[test]
    fn odd_inputs_are_told_from_plain_ones() {
        let fun = TableFun::new(1, Vec::new(), integer("0"));
        let fun = || Term::TableFun(Box::new(fun.clone()));
        let improper = |tail: Term| Term::List(vec![integer("1")], Some(Box::new(tail)));
        let cases = [
            (integer("123456789012345678901234567890"), "badarith", true),
            (integer(&"9".repeat(300)), "badarith", false),
            (Term::Float(1e300), "badarith", false),
            (Term::Float(-0.0), "badarith", true),
            (Term::Float(1e-200), "badarith", false),
            (improper(Term::atom("a")), "badarg", false),
            (
                Term::Tuple(vec![improper(Term::binary("b"))]),
                "badarg",
                true,
            ),
            (Term::Bits(vec![128], 1), "badarg", true),
            (fun(), "{badarity,{fun(_) -> 0 end,[]}}", false),
            (fun(), "badarith", true),
            (Term::atom("a"), "undef", false),
            (Term::atom("go"), "undef", false),
            (Term::atom("g"), "undef", true),
            (integer("99999999999"), "system_limit", false),
            (Term::binary("text"), "system_limit", true),
        ];
        for (term, reason, expected) in cases {
            let outcome = raised(reason, "a:go/0");
            assert_eq!(
                is_plain(std::slice::from_ref(&term), &outcome),
                expected,
                "{term}"
            );
        }
        assert!(is_plain(&[Term::atom("a")], &Outcome::Timeout));
    }

    #[test]
    fn servers_that_do_not_run_are_unlikely() {
        for (class, reason, expected) in [
            ("exit", "{noproc,{gen_server,call,[a,b]}}", false),
            ("exit", "normal", true),
            ("error", "{noproc,x}", true),
        ] {
            let mut outcome = raised(reason, "gen_server:call/2");
            if let Outcome::Exception { class: of, .. } = &mut outcome {
                class.clone_into(of);
            }
            assert_eq!(is_plain(&[], &outcome), expected, "{class} {reason}");
        }
    }
}
