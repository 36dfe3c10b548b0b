//! Guards as conditions.

use erlang_term::Term;
use flattener::ast::{MapOperator, deep};
use flattener::flat::{
    Clause, Guard, GuardCall, GuardCase, GuardMap, GuardOperator, SegmentKind, SegmentType,
};
use models::{Applied, is_big};
use smallvec::{SmallVec, smallvec};
use solver::graph::{Bits, Condition, Graph, Kinds, MOST_BYTES, Node, NodeId};

use super::environment::Environment;
use super::facts::{Conditions, unknown_condition};
use super::patterns::matches;
use super::values::evaluate_without_funs;

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

/// Whether a guard is `true`, as it is where the program has none.
pub(crate) fn is_true(guard: &Guard) -> bool {
    matches!(guard, Guard::Value(value) if value.as_literal().and_then(Term::as_atom) == Some("true"))
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
        Guard::Value(value) => Evaluated::total(evaluate_without_funs(graph, environment, value)),
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
            let (pairs, _) = parts.values.as_chunks();
            match built_bits(graph, pairs.iter().zip(kinds)) {
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
    // Most often all of them always hold, and nothing is allocated.
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
        GuardOperator::Call(module, name) => {
            let arity = u32::try_from(arguments.values.len()).unwrap_or(u32::MAX);
            let model = models::find(module.as_str(), name.as_str(), arity);
            model.and_then(|model| model.apply_in_guard(graph, &arguments.values))
        }
        GuardOperator::Primop(_) => None,
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

/// A bit string that a guard builds, if all sizes are constants.
fn built_bits<'values>(
    graph: &mut Graph,
    segments: impl Iterator<Item = (&'values [NodeId; 2], SegmentType)>,
) -> Option<Applied> {
    let mut conditions = Vec::new();
    let mut pieces = Vec::new();
    for (&[value, size], kind) in segments {
        if kind.kind == SegmentKind::Integer
            && let Node::Integer(size) = graph.node(size)
        {
            let size = u64::try_from(size.to_i64()?).ok()?;
            let width = size.checked_mul(kind.unit?.into())?;
            if width > 8 * MOST_BYTES as u64 {
                return None;
            }
            conditions.push(graph.kind(Kinds::INTEGER, value));
            let value = graph.fitted(value, width);
            pieces.extend(graph.written(value, width, is_big(kind.endianness)));
        } else if kind.kind == SegmentKind::Binary
            && matches!(graph.node(size), Node::Atom(all) if all.as_str() == "all")
        {
            pieces.extend(graph.closed_pieces(value)?);
            if kind.unit == Some(8) {
                conditions.push(graph.kind(Kinds::BINARY, value));
            }
        } else {
            return None;
        }
    }
    let rest = None;
    Some(Applied {
        returns: graph.all(conditions),
        value: graph.bits(Bits { pieces, rest }),
    })
}
