//! Patterns and guards as conditions.

mod bits;

pub(crate) use bits::is_big;

use erlang_term::Term;
use flattener::ast::MapOperator;
use flattener::ast::deep;
use flattener::flat::{
    Clause, Guard, GuardCall, GuardCase, GuardMap, GuardOperator, Pattern, Value,
};
use smallvec::{SmallVec, smallvec};

use crate::builtins::{self, Applied};
use crate::environment::{Environment, evaluate};
use solver::graph::{Condition, Elements, Graph, Kinds, Node, NodeId};

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
    fn behind(mut self: Box<Self>, graph: &mut Graph, conditions: &[Condition]) -> Box<Self> {
        let before = conditions.iter().copied();
        self.prefix = graph.all(before.chain([self.prefix]));
        self
    }
}

/// Questions that were answered.
pub(crate) type Answers = [(Question, u64)];

/// Those that a match depends on.
type Conditions = SmallVec<[Condition; 4]>;

pub(crate) type Matches = Result<Condition, Box<Need>>;

/// The condition on which values match the patterns of a clause, with its variables bound.
pub(crate) fn patterns_match(
    graph: &mut Graph,
    environment: &mut Environment,
    clause: &Clause,
    arguments: &[NodeId],
    answers: &Answers,
) -> Matches {
    let mut matcher = Matcher::new(graph, environment, answers);
    for (pattern, argument) in clause.patterns.iter().zip(arguments) {
        if !matcher.part(pattern, *argument)? {
            return Ok(Condition::FALSE);
        }
    }
    Ok(matcher.condition())
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
    let mut matcher = Matcher::new(graph, environment, answers);
    if matcher.pattern(pattern, value)? {
        Ok(matcher.condition())
    } else {
        Ok(Condition::FALSE)
    }
}

/// Matches values and patterns, and collects the conditions on which they do. What always holds is
/// left out, so that most often nothing is left.
struct Matcher<'run> {
    graph: &'run mut Graph,
    environment: &'run mut Environment,
    answers: &'run Answers,
    conditions: Conditions,
}

/// Whether a value can match a pattern, on the conditions that were collected.
type IsPossible = Result<bool, Box<Need>>;

impl<'run> Matcher<'run> {
    fn new(
        graph: &'run mut Graph,
        environment: &'run mut Environment,
        answers: &'run Answers,
    ) -> Self {
        Self {
            graph,
            environment,
            answers,
            conditions: Conditions::new(),
        }
    }

    /// All that was collected.
    fn condition(self) -> Condition {
        match self.conditions.as_slice() {
            [] => Condition::TRUE,
            _ => self.graph.all(self.conditions),
        }
    }

    fn needs(&mut self, condition: Condition) -> bool {
        if !condition.is_constant() {
            self.conditions.push(condition);
        }
        condition != Condition::FALSE
    }

    fn needs_match(&mut self, matched: Matches) -> IsPossible {
        match matched {
            Ok(condition) => Ok(self.needs(condition)),
            Err(need) => Err(need.behind(self.graph, &self.conditions)),
        }
    }

    /// What most patterns are needs no look at the depth of the stack.
    #[inline(always)]
    fn part(&mut self, pattern: &Pattern, value: NodeId) -> IsPossible {
        match pattern {
            Pattern::Variable(variable) => {
                self.environment.bind(*variable, value);
                Ok(true)
            }
            Pattern::Literal(term) => Ok(self.literal(term, value)),
            _ => deep(|| self.pattern(pattern, value)),
        }
    }

    fn literal(&mut self, term: &Term, value: NodeId) -> bool {
        let constant = self.environment.literal(self.graph, term);
        let is_equal = self.graph.equal(value, constant);
        self.needs(is_equal)
    }

    fn pattern(&mut self, pattern: &Pattern, value: NodeId) -> IsPossible {
        match pattern {
            Pattern::Variable(_) | Pattern::Literal(_) => self.part(pattern, value),
            Pattern::Cons(parts) => {
                let is_cons = self.graph.kind(Kinds::CONS, value);
                if !self.needs(is_cons) {
                    return Ok(false);
                }
                let (head, tail) = (self.graph.head(value), self.graph.tail(value));
                Ok(self.part(&parts.0, head)? && self.part(&parts.1, tail)?)
            }
            Pattern::Tuple(elements) => self.tuple(elements, value),
            Pattern::Alias(parts) => {
                self.environment.bind(parts.0, value);
                self.part(&parts.1, value)
            }
            Pattern::Map(pairs) => self.map(pairs, value),
            Pattern::Binary(segments) => {
                let (graph, environment) = (&mut *self.graph, &mut *self.environment);
                let matched =
                    bits::match_segments(graph, environment, segments, value, self.answers);
                self.needs_match(matched)
            }
        }
    }

    fn tuple(&mut self, elements: &[Pattern], value: NodeId) -> IsPossible {
        let count = u32::try_from(elements.len()).unwrap_or(u32::MAX);
        let shape = self.graph.arity(count, value);
        if !self.needs(shape) {
            return Ok(false);
        }
        if let Node::Tuple(parts) = self.graph.node(value) {
            let parts = parts.clone();
            return self.parts(elements, &parts);
        }
        let parts = (0..count).map(|index| self.graph.element(index, value));
        let parts: Elements = parts.collect();
        self.parts(elements, &parts)
    }

    fn parts(&mut self, patterns: &[Pattern], parts: &[NodeId]) -> IsPossible {
        for (pattern, part) in patterns.iter().zip(parts) {
            if !self.part(pattern, *part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn map(&mut self, pairs: &[(Value, Pattern)], value: NodeId) -> IsPossible {
        let is_map = self.graph.kind(Kinds::MAP, value);
        if !self.needs(is_map) {
            return Ok(false);
        }
        for (key, pattern) in pairs {
            let mut no_funs = |graph: &mut Graph, _: &_, _: &_| graph.unknown();
            let key = evaluate(self.graph, self.environment, key, &mut no_funs);
            let has_key = self.graph.has_key(key, value);
            if !self.needs(has_key) {
                return Ok(false);
            }
            let inner = self.graph.value_at(key, value);
            if !self.part(pattern, inner)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
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
