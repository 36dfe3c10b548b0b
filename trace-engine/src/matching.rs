//! Patterns and guards as conditions.

mod bits;

pub(crate) use bits::is_big;

use erlang_term::Term;
use flattener::ast::MapOperator;
use flattener::ast::deep;
use flattener::flat::{Clause, Guard, GuardCall, GuardCase, GuardMap, GuardOperator, Pattern};
use smallvec::{SmallVec, smallvec};

use crate::builtins::{self, Applied};
use crate::environment::{Environment, evaluate};
use crate::graph::{Condition, Graph, Kinds, NodeId};

/// What must be known of the run before it can be said what a pattern means: where in a bit string
/// a segment begins depends on those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Which number this is.
    Number(NodeId),
    /// Which of these is the first that holds.
    Ways(Vec<Condition>),
}

/// A question, and the condition on which it is asked.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    pub(crate) prefix: Condition,
    pub(crate) question: Question,
}

impl Need {
    /// The same question behind some more conditions.
    fn behind(self, graph: &mut Graph, conditions: &[Condition]) -> Self {
        let before = conditions.iter().copied();
        Self {
            prefix: graph.all(before.chain([self.prefix])),
            ..self
        }
    }
}

/// Questions that were answered.
pub(crate) type Answers = [(Question, u64)];

/// Those that a match depends on.
type Conditions = SmallVec<[Condition; 4]>;

pub(crate) type Matches = Result<Condition, Need>;

/// The condition on which values match the patterns of a clause, with its variables bound.
pub(crate) fn patterns_match(
    graph: &mut Graph,
    environment: &mut Environment,
    clause: &Clause,
    arguments: &[NodeId],
    answers: &Answers,
) -> Matches {
    // What always holds is left out, so that most often nothing is left.
    let mut conditions: Conditions = SmallVec::new();
    for (pattern, argument) in clause.patterns.iter().zip(arguments) {
        let condition = matches(graph, environment, pattern, *argument, answers);
        let condition = condition.map_err(|need| need.behind(graph, &conditions))?;
        if condition == Condition::FALSE {
            return Ok(condition);
        }
        if condition != Condition::TRUE {
            conditions.push(condition);
        }
    }
    Ok(graph.all(conditions))
}

/// The condition on which a clause is chosen whose patterns match on a condition, if those before
/// it are not.
pub(crate) fn with_guard(
    graph: &mut Graph,
    environment: &mut Environment,
    clause: &Clause,
    patterns: Condition,
) -> Condition {
    if patterns == Condition::FALSE || is_true(&clause.guard) {
        return patterns;
    }
    let guard = guard_holds(graph, environment, &clause.guard);
    graph.all([patterns, guard])
}

/// The condition on which a value matches a pattern. The variables of the pattern become the
/// parts of the value, which are there only if it does.
fn matches(
    graph: &mut Graph,
    environment: &mut Environment,
    pattern: &Pattern,
    value: NodeId,
    answers: &Answers,
) -> Matches {
    match pattern {
        Pattern::Variable(variable) => {
            environment.bind(*variable, value);
            Ok(Condition::TRUE)
        }
        Pattern::Literal(term) => {
            let constant = graph.constant(term);
            Ok(graph.equal(value, constant))
        }
        Pattern::Cons(parts) => {
            let is_cons = graph.kind(Kinds::CONS, value);
            if is_cons == Condition::FALSE {
                return Ok(is_cons);
            }
            let (head, tail) = (graph.head(value), graph.tail(value));
            let patterns = [(&parts.0, head), (&parts.1, tail)];
            match_parts(graph, environment, is_cons, patterns, answers)
        }
        Pattern::Tuple(elements) => {
            let count = u32::try_from(elements.len()).unwrap_or(u32::MAX);
            let shape = graph.arity(count, value);
            if shape == Condition::FALSE {
                return Ok(shape);
            }
            let parts = (0..count).map(|index| graph.element(index, value));
            let parts: SmallVec<[NodeId; 4]> = parts.collect();
            let patterns = elements.iter().zip(parts);
            match_parts(graph, environment, shape, patterns, answers)
        }
        Pattern::Alias(parts) => {
            environment.bind(parts.0, value);
            deep(|| matches(graph, environment, &parts.1, value, answers))
        }
        Pattern::Map(pairs) => {
            let is_map = graph.kind(Kinds::MAP, value);
            let mut conditions = vec![is_map];
            for (key, pattern) in pairs.iter() {
                let mut no_funs = |graph: &mut Graph, _: &_, _: &_| graph.unknown();
                let key = evaluate(graph, environment, key, &mut no_funs);
                conditions.push(graph.has_key(key, value));
                if conditions.contains(&Condition::FALSE) {
                    return Ok(Condition::FALSE);
                }
                let inner = graph.value_at(key, value);
                let matched = deep(|| matches(graph, environment, pattern, inner, answers));
                conditions.push(matched.map_err(|need| need.behind(graph, &conditions))?);
            }
            Ok(graph.all(conditions))
        }
        Pattern::Binary(segments) => {
            bits::match_segments(graph, environment, segments, value, answers)
        }
    }
}

/// A value has a shape, and its parts match patterns.
fn match_parts<'code>(
    graph: &mut Graph,
    environment: &mut Environment,
    shape: Condition,
    parts: impl IntoIterator<Item = (&'code Pattern, NodeId)>,
    answers: &Answers,
) -> Matches {
    let mut conditions: Conditions = SmallVec::new();
    if shape != Condition::TRUE {
        conditions.push(shape);
    }
    for (pattern, part) in parts {
        if let Pattern::Variable(variable) = pattern {
            environment.bind(*variable, part);
            continue;
        }
        let condition = deep(|| matches(graph, environment, pattern, part, answers));
        let condition = condition.map_err(|need| need.behind(graph, &conditions))?;
        if condition != Condition::TRUE {
            conditions.push(condition);
        }
    }
    Ok(graph.all(conditions))
}

/// Whether a guard is `true`, as it is where the program has none.
pub(crate) fn is_true(guard: &Guard) -> bool {
    matches!(guard, Guard::Value(value) if value.as_literal().and_then(Term::as_atom) == Some("true"))
}

/// A condition that nothing is known about.
pub(crate) fn unknown_condition(graph: &mut Graph) -> Condition {
    let (unknown, yes) = (graph.unknown(), NodeId::TRUE);
    graph.equal(unknown, yes)
}

/// The condition on which a guard succeeds: it raises nothing and is `true`.
fn guard_holds(graph: &mut Graph, environment: &mut Environment, guard: &Guard) -> Condition {
    let result = guard_value(graph, environment, guard);
    let yes = NodeId::TRUE;
    let mut conditions: SmallVec<[Condition; 2]> = smallvec![result.returns];
    for value in result.values {
        conditions.push(graph.equal(value, yes));
    }
    graph.all(conditions)
}

/// What a guard evaluates to.
struct Evaluated {
    /// It raises unless this holds.
    returns: Condition,
    values: Values,
}

/// Nearly always one, or the two arguments of a call.
type Values = SmallVec<[NodeId; 2]>;

impl Evaluated {
    fn total(value: NodeId) -> Self {
        Self {
            returns: Condition::TRUE,
            values: smallvec![value],
        }
    }

    fn unknown(graph: &mut Graph) -> Self {
        Self {
            returns: unknown_condition(graph),
            values: smallvec![graph.unknown()],
        }
    }
}

fn guard_value(graph: &mut Graph, environment: &mut Environment, guard: &Guard) -> Evaluated {
    match guard {
        Guard::Value(value) => {
            let mut no_funs = |graph: &mut Graph, _: &_, _: &_| graph.unknown();
            Evaluated::total(evaluate(graph, environment, value, &mut no_funs))
        }
        Guard::Cons(parts) => {
            let all = guard_values(graph, environment, [&parts.0, &parts.1]);
            let [head, tail] = all.values.as_slice() else {
                return Evaluated::unknown(graph);
            };
            let list = graph.cons(*head, *tail);
            Evaluated {
                returns: all.returns,
                values: smallvec![list],
            }
        }
        Guard::Tuple(elements) => {
            let all = guard_values(graph, environment, elements.iter());
            let tuple = graph.tuple(all.values.into_vec());
            Evaluated {
                returns: all.returns,
                values: smallvec![tuple],
            }
        }
        Guard::Values(values) => guard_values(graph, environment, values.iter()),
        Guard::Map(map) => guard_map(graph, environment, map),
        Guard::Binary(segments) => {
            let parts = segments.iter().flat_map(|it| [&it.value, &it.size]);
            let parts = guard_values(graph, environment, parts);
            let kinds = segments.iter().map(|it| it.kind);
            let segments = parts.values.chunks_exact(2).zip(kinds);
            match bits::built_in_guard(graph, segments) {
                Some(built) => Evaluated {
                    returns: graph.all([parts.returns, built.returns]),
                    values: smallvec![built.value],
                },
                None => Evaluated::unknown(graph),
            }
        }
        Guard::Call(call) => guard_call(graph, environment, call),
        Guard::Let(binding) => {
            let argument = deep(|| guard_value(graph, environment, &binding.argument));
            environment.bind_all(&binding.variables, &argument.values);
            let body = deep(|| guard_value(graph, environment, &binding.body));
            Evaluated {
                returns: graph.all([argument.returns, body.returns]),
                ..body
            }
        }
        Guard::Sequence(parts) => {
            let first = deep(|| guard_value(graph, environment, &parts.0));
            let second = deep(|| guard_value(graph, environment, &parts.1));
            Evaluated {
                returns: graph.all([first.returns, second.returns]),
                ..second
            }
        }
        Guard::Case(case) => guard_case(graph, environment, case),
        Guard::Try(protected) => {
            let argument = deep(|| guard_value(graph, environment, &protected.argument));
            environment.bind_all(&protected.variables, &argument.values);
            let body = deep(|| guard_value(graph, environment, &protected.body));
            if argument.returns == Condition::TRUE {
                return body;
            }
            let handler = deep(|| guard_value(graph, environment, &protected.handler));
            either(graph, argument.returns, &body, &handler)
        }
    }
}

fn guard_values<'code>(
    graph: &mut Graph,
    environment: &mut Environment,
    guards: impl IntoIterator<Item = &'code Guard>,
) -> Evaluated {
    // What always holds is left out, so that most often nothing is allocated.
    let mut returns: Conditions = SmallVec::new();
    let mut values = Values::new();
    for guard in guards {
        let result = deep(|| guard_value(graph, environment, guard));
        if result.returns != Condition::TRUE {
            returns.push(result.returns);
        }
        values.extend(result.values);
    }
    Evaluated {
        returns: graph.all(returns),
        values,
    }
}

fn guard_map(graph: &mut Graph, environment: &mut Environment, map: &GuardMap) -> Evaluated {
    let base = match &map.base {
        Some(base) => deep(|| guard_value(graph, environment, base)),
        None => Evaluated::total(graph.map([])),
    };
    let Some(mut value) = base.values.first().copied() else {
        return Evaluated::unknown(graph);
    };
    let mut returns = vec![base.returns, graph.kind(Kinds::MAP, value)];
    for (operator, key, inner) in &map.pairs {
        let pair = guard_values(graph, environment, [key, inner]);
        let &[key, inner] = pair.values.as_slice() else {
            return Evaluated::unknown(graph);
        };
        returns.push(pair.returns);
        if *operator == MapOperator::Exact {
            returns.push(graph.has_key(key, value));
        }
        value = graph.put(value, key, inner);
    }
    Evaluated {
        returns: graph.all(returns),
        values: smallvec![value],
    }
}

fn guard_call(graph: &mut Graph, environment: &mut Environment, call: &GuardCall) -> Evaluated {
    let arguments = guard_values(graph, environment, &call.arguments);
    let applied = match &call.operator {
        // How the compiler says that a side of `andalso` is no boolean.
        GuardOperator::Call(module, name)
            if module.as_str() == "erlang" && name.as_str() == "error" =>
        {
            Some(Applied {
                returns: Condition::FALSE,
                value: NodeId::NIL,
            })
        }
        GuardOperator::Call(module, name) if module.as_str() == "erlang" => {
            builtins::apply(graph, name.as_str(), &arguments.values)
        }
        GuardOperator::Call(..) | GuardOperator::Primop(_) => None,
    };
    match applied {
        Some(Applied { returns, value }) => Evaluated {
            returns: graph.all([arguments.returns, returns]),
            values: smallvec![value],
        },
        None => Evaluated::unknown(graph),
    }
}

fn guard_case(graph: &mut Graph, environment: &mut Environment, case: &GuardCase) -> Evaluated {
    let argument = deep(|| guard_value(graph, environment, &case.argument));
    let mut clauses = Vec::with_capacity(case.clauses.len());
    for clause in &case.clauses {
        let mut conditions: Vec<Condition> = Vec::new();
        for (pattern, value) in clause.patterns.iter().zip(&argument.values) {
            let matched = matches(graph, environment, pattern, *value, &[]);
            conditions.push(matched.unwrap_or_else(|_| unknown_condition(graph)));
        }
        conditions.push(deep(|| guard_holds(graph, environment, &clause.guard)));
        let chosen = graph.all(conditions);
        let body = deep(|| guard_value(graph, environment, &clause.body));
        clauses.push((chosen, body));
    }
    let mut result = Evaluated {
        returns: Condition::FALSE,
        values: clauses
            .last()
            .map_or(Values::new(), |it| it.1.values.clone()),
    };
    for (chosen, body) in clauses.iter().rev() {
        result = either(graph, *chosen, body, &result);
    }
    result.returns = graph.all([argument.returns, result.returns]);
    result
}

fn either(graph: &mut Graph, condition: Condition, yes: &Evaluated, no: &Evaluated) -> Evaluated {
    let values = yes.values.iter().zip(&no.values);
    let values = values
        .map(|(yes, no)| graph.choice(condition, *yes, *no))
        .collect();
    Evaluated {
        returns: graph.either(condition, yes.returns, no.returns),
        values,
    }
}
