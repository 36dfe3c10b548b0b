//! The call and control flow graph of a program, and how near a decision is to a clause.
//!
//! The graph has a node for each statement and for each clause of all functions that a search can
//! reach. Its lengths count decisions: choosing one of several clauses is one, and so is an
//! exception. Statements that only go on are free. A call leads into its callee, and past it, as
//! far as the shortest way through the callee is long ([`through_calls`]). Funs may be called where
//! they are made, and where any fun with as many arguments is.
//!
//! [`NearestClauses`] answers how many decisions lie between a way of a decision and the nearest
//! clause that was not reached. Who has come in by a call goes out by no other; who was there at
//! first may return to any caller, since the graph knows no stacks.

mod flow_builder;
mod flow_graph;
mod nearest_clauses;
mod through_calls;

#[cfg(test)]
mod tests;

pub(crate) use flow_graph::FlowGraph;
pub(crate) use nearest_clauses::NearestClauses;
