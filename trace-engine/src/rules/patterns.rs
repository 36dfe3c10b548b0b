//! Patterns as conditions.

use erlang_term::Term;
use flattener::ast::deep;
use flattener::flat::{Clause, Pattern, Value};
use solver::graph::{Condition, Elements, Graph, Kinds, Node, NodeId};

use super::bit_patterns::match_segments;
use super::environment::Environment;
use super::facts::{Conditions, KnownFacts, Matches, Need};
use super::values::evaluate_without_funs;

/// The condition on which values match the patterns of a clause, with its variables bound.
pub(crate) fn patterns_match(
    graph: &mut Graph,
    environment: &mut Environment,
    clause: &Clause,
    arguments: &[NodeId],
    facts: &KnownFacts,
) -> Matches {
    let mut matcher = Matcher::new(graph, environment, facts);
    for (pattern, argument) in clause.patterns.iter().zip(arguments) {
        if !matcher.part(pattern, *argument)? {
            return Ok(Condition::FALSE);
        }
    }
    Ok(matcher.condition())
}

/// The condition on which a value matches a pattern. The variables of the pattern become the
/// parts of the value, which are there only if it does.
pub(super) fn matches(
    graph: &mut Graph,
    environment: &mut Environment,
    pattern: &Pattern,
    value: NodeId,
    facts: &KnownFacts,
) -> Matches {
    let mut matcher = Matcher::new(graph, environment, facts);
    if matcher.pattern(pattern, value)? {
        Ok(matcher.condition())
    } else {
        Ok(Condition::FALSE)
    }
}

/// Matches values and patterns, and collects the conditions on which they match, without those that
/// always hold. Most often nothing is left.
struct Matcher<'run> {
    graph: &'run mut Graph,
    environment: &'run mut Environment,
    facts: &'run KnownFacts,
    conditions: Conditions,
}

/// Whether a value can match a pattern, on the conditions that were collected.
type IsPossible = Result<bool, Box<Need>>;

impl<'run> Matcher<'run> {
    fn new(
        graph: &'run mut Graph,
        environment: &'run mut Environment,
        facts: &'run KnownFacts,
    ) -> Self {
        Self {
            graph,
            environment,
            facts,
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
            Err(need) => Err(need.after(self.graph, &self.conditions)),
        }
    }

    /// Most patterns are variables or constants, for which the depth of the stack does not matter.
    #[inline(always)]
    fn part(&mut self, pattern: &Pattern, value: NodeId) -> IsPossible {
        match pattern {
            Pattern::Variable(variable) => {
                self.environment.bind(*variable, value);
                Ok(true)
            }
            Pattern::Literal(term) => Ok(self.literal(term, value)),
            Pattern::Cons(_)
            | Pattern::Tuple(_)
            | Pattern::Map(_)
            | Pattern::Binary(_)
            | Pattern::Alias(_) => deep(|| self.pattern(pattern, value)),
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
                    match_segments(graph, environment, segments, value, self.facts, matches);
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
            let key = evaluate_without_funs(self.graph, self.environment, key);
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
