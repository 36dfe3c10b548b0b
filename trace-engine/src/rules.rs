//! What the operations of the flat form do to symbolic values. These rules know of variables
//! ([`environment`]) and of the graph; they know nothing of logs, so that more than the replay of a
//! log can use them.

mod bit_fields;
mod bit_patterns;
mod character_patterns;
mod clauses;
mod environment;
mod facts;
mod funs;
mod guards;
mod map_expressions;
mod patterns;
mod values;

pub(crate) use clauses::{ClauseChoice, ClauseWays, GuardVariables, clause_ways};
pub(crate) use environment::Environment;
pub(crate) use facts::unknown_condition;
pub(crate) use funs::{CapturedVariables, Surroundings, function_value, made_fun};
pub(crate) use guards::with_guard;
pub(crate) use map_expressions::MapExpression;
pub(crate) use patterns::patterns_match;
pub(crate) use values::evaluate;
