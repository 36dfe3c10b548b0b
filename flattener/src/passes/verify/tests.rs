//! Each test breaks one promise of a good module and expects a complaint.

use erlang_term::{Atom, Term};

use super::*;
use crate::flat::{
    BlockId, Bound, FunctionId, FunctionRef, LocalId, Operation, Pattern, SiteId, Statement, Value,
    VarId,
};
use crate::passes::flatten;
use crate::passes::testing::module;

/// One block for each construct that nests; variables in the order of the text.
const GOOD: &str = "
'f'/2 = fun (X,Y) ->
  let <A> = apply 'g'/1(X) in
  let <B> = fun (P) -> P in
  let <C,D> = <A,B> in
  let <E> = case <C,D> of
    <{F,G},~{Y:=H}~> when call 'erlang':'>'(F,G) -> H
    <#{#<N>(8,1,'integer',['unsigned'|['big']]),#<R>(N,8,'binary',['unsigned'|['big']])}#,_1>
      when let <K> = N in K -> R
  end in
  letrec 'local'/0 = fun () -> apply 'local'/0()
  in try apply 'local'/0() of <T> -> T catch <U,V,W> -> {U,V,W,E}
'g'/1 = fun (Z) -> Z
";

fn good() -> Module {
    flatten(module(GOOD)).expect("the functions are a program")
}

/// Breaks the first function and compares the complaints about it.
#[track_caller]
fn check_broken(change: impl FnOnce(&mut Function), expected: &[&str]) {
    let mut module = good();
    change(&mut module.functions[0]);
    let expected: Vec<String> = expected
        .iter()
        .map(|text| format!("'f'/2: {text}"))
        .collect();
    assert_eq!(flat(&module), expected);
}

fn variable(function: &Function, name: &str) -> VarId {
    let index = function
        .variables
        .iter()
        .position(|variable| variable.name == name)
        .expect("the variable is there");
    VarId::next(index)
}

/// The first statement for which `choose` gives something.
fn statement<'flat, T>(
    function: &'flat mut Function,
    choose: impl FnMut(&'flat mut Statement) -> Option<T>,
) -> T {
    function
        .blocks
        .iter_mut()
        .flat_map(|block| &mut block.statements)
        .find_map(choose)
        .expect("there is such a statement")
}

fn clauses(function: &mut Function) -> &mut Vec<crate::flat::Clause> {
    statement(function, |statement| {
        if let Operation::Case { clauses, .. } = &mut statement.operation {
            Some(clauses)
        } else {
            None
        }
    })
}

/// The arguments of the first statement, a call.
fn arguments(function: &mut Function) -> &mut Vec<Value> {
    let body = function.fun.body;
    let Operation::Apply { arguments, .. } =
        &mut function.blocks[body.index()].statements[0].operation
    else {
        panic!("the first statement is a call");
    };
    arguments
}

#[test]
fn finds_nothing_wrong_with_a_good_module() {
    assert_eq!(flat(&good()), Vec::<String>::new());
    assert_eq!(numbered(&good()), Vec::<String>::new());
}

#[test]
fn sees_a_variable_used_where_it_is_not_bound() {
    check_broken(
        |function| {
            let inner = variable(function, "P");
            let body = function.fun.body;
            function.blocks[body.index()].result = vec![Value::Variable(inner)];
        },
        &["VarId(3) is used where it is not bound"],
    );
}

#[test]
fn sees_a_variable_used_before_it_is_bound() {
    check_broken(
        |function| {
            let later = variable(function, "B");
            *arguments(function) = vec![Value::Variable(later)];
        },
        &["VarId(4) is used where it is not bound"],
    );
}

#[test]
fn sees_a_key_of_a_pattern_that_is_not_bound() {
    check_broken(
        |function| {
            let same_pattern = variable(function, "F");
            let Pattern::Map(pairs) = &mut clauses(function)[0].patterns[1] else {
                panic!("the second pattern is a map");
            };
            pairs[0].0 = Value::Variable(same_pattern);
        },
        &["VarId(7) is used where it is not bound"],
    );
}

#[test]
fn sees_a_size_that_is_bound_too_late() {
    check_broken(
        |function| {
            let later = variable(function, "R");
            let Pattern::Binary(segments) = &mut clauses(function)[1].patterns[0] else {
                panic!("the first pattern is a binary");
            };
            segments[0].size = Value::Variable(later);
        },
        &["VarId(11) is used where it is not bound"],
    );
}

#[test]
fn sees_a_variable_bound_twice() {
    check_broken(
        |function| {
            let (first, second) = (variable(function, "F"), variable(function, "G"));
            let Pattern::Tuple(elements) = &mut clauses(function)[0].patterns[0] else {
                panic!("the first pattern is a tuple");
            };
            assert_eq!(elements[1], Pattern::Variable(second));
            elements[1] = Pattern::Variable(first);
        },
        &[
            "VarId(7) is bound twice",
            "VarId(8) is used where it is not bound",
            "a variable is bound nowhere",
        ],
    );
}

#[test]
fn sees_variables_that_do_not_exist() {
    check_broken(
        |function| function.fun.parameters.push(VarId(99)),
        &["VarId(99) does not exist"],
    );
}

#[test]
fn sees_a_variable_that_nothing_binds() {
    check_broken(
        |function| {
            let mut more = function.variables[0].clone();
            more.name = "More".into();
            function.variables.push(more);
        },
        &["a variable is bound nowhere"],
    );
}

#[test]
fn sees_names_that_are_not_unique() {
    check_broken(
        |function| function.variables[1].name = "X".into(),
        &[r#"the name "X" is not unique"#],
    );
    check_broken(
        |function| function.variables[1].name = "".into(),
        &[r#"the name "" is not unique"#],
    );
    check_broken(|function| function.locals[0].name = Atom::new("g"), &[]);
    check_broken(
        |function| {
            function.locals[0] = FunctionId {
                name: Atom::new("g"),
                arity: 1,
            }
        },
        &["the name 'g'/1 is not unique"],
    );
}

#[test]
fn sees_a_block_in_two_places() {
    check_broken(
        |function| {
            let clauses = clauses(function);
            clauses[1].body = clauses[0].body;
        },
        &["BlockId(1) is in two places", "a block belongs to no place"],
    );
}

#[test]
fn sees_a_block_that_does_not_exist() {
    check_broken(
        |function| clauses(function)[1].body = BlockId(99),
        &["BlockId(99) does not exist", "a block belongs to no place"],
    );
}

#[test]
fn sees_functions_that_are_not_defined() {
    let missing = FunctionRef::Module(FunctionId {
        name: Atom::new("h"),
        arity: 0,
    });
    let text = format!("{missing:?} is not defined here");
    check_broken(
        |function| arguments(function)[0] = Value::Function(missing.into()),
        &[&text],
    );
}

#[test]
fn sees_a_local_function_used_outside_of_its_letrec() {
    check_broken(
        |function| {
            arguments(function)[0] = Value::Function(FunctionRef::Local(LocalId(0)).into());
        },
        &["Local(LocalId(0)) is not defined here"],
    );
}

#[test]
fn sees_a_local_function_defined_nowhere_or_twice() {
    check_broken(
        |function| {
            function.locals.push(FunctionId {
                name: Atom::new("more"),
                arity: 0,
            });
        },
        &["a local function is defined nowhere"],
    );
    check_broken(
        |function| {
            let definitions = statement(function, |statement| {
                if let Operation::Letrec { definitions, .. } = &mut statement.operation {
                    Some(definitions)
                } else {
                    None
                }
            });
            definitions.push(definitions[0].clone());
        },
        &["LocalId(0) is defined twice", "BlockId(3) is in two places"],
    );
}

#[test]
fn sees_a_wrong_number_of_values() {
    check_broken(
        |function| {
            let body = function.fun.body;
            function.blocks[body.index()].result.clear();
        },
        &["BlockId(8) gives 0 values instead of 1"],
    );
    check_broken(
        |function| {
            clauses(function)[0]
                .patterns
                .push(Pattern::Literal(Term::atom("a").into()));
        },
        &["a clause gives 3 values instead of 2"],
    );
    check_broken(
        |function| {
            let values = statement(function, |statement| {
                if let Operation::Values(values) = &mut statement.operation {
                    Some(values)
                } else {
                    None
                }
            });
            values.pop();
        },
        &["a list of values gives 1 values instead of 2"],
    );
}

#[test]
fn sees_exports_that_are_not_defined() {
    let mut module = good();
    module.exports.push(FunctionId {
        name: Atom::new("h"),
        arity: 3,
    });
    assert_eq!(flat(&module), ["'h'/3 is exported but not defined"]);
}

#[test]
fn sees_sites_out_of_order() {
    let mut module = good();
    let first = module.functions[0].fun.body;
    let statements = &mut module.functions[0].blocks[first.index()].statements;
    assert_eq!(statements[0].site, SiteId(0));
    statements[0].site = SiteId(1);
    assert_eq!(numbered(&module), ["'f'/2: site SiteId(1) should be 0"]);
}

#[test]
fn sees_a_wrong_count_of_sites() {
    let mut module = good();
    let count = module.site_count;
    module.site_count += 1;
    assert_eq!(
        numbered(&module),
        [format!("{count} sites, but the module says {}", count + 1)]
    );
}

#[test]
fn a_discarded_value_is_one_value() {
    check_broken(
        |function| {
            let values = statement(function, |statement| {
                matches!(&statement.operation, Operation::Values(_)).then_some(statement)
            });
            values.operation = Operation::Values(Vec::new());
            values.bound = Bound::Discarded;
        },
        &[
            "VarId(5) is used where it is not bound",
            "VarId(6) is used where it is not bound",
            "a variable is bound nowhere",
            "a list of values gives 0 values instead of 1",
        ],
    );
}

#[test]
fn sees_names_that_were_not_renamed() {
    let module = module(
        "'f'/1 = fun (X) -> let <X> = X in letrec 'f'/1 = fun (Ü) -> Ü 'g'/0 = fun () -> 1 in
           letrec 'g'/0 = fun () -> case X of <{X,Y}> when 'true' -> Y end in X",
    );
    assert_eq!(
        unique_variables(&module),
        [
            "'f'/1: X is bound twice",
            "'f'/1: 'f'/1 is defined twice",
            "'f'/1: Ü is not ASCII",
            "'f'/1: 'g'/0 is defined twice",
            "'f'/1: X is bound twice",
        ]
    );
}
