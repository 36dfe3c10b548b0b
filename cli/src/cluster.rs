//! One search on many machines, by Erlang distribution.
//!
//! A *node* is an `erlconcolic serve`: a BEAM that takes part in the cluster, and workers beside it.
//! A search sends inputs to nodes and gets runs; all else stays where the command was given. What
//! travels are frames, which the BEAMs pass on and do not look into.

pub mod fleet;
mod frame;
mod library;
mod member;
mod node;
mod node_name;
mod outbox;
mod pool;
mod refusal;
mod remote_runner;
mod session;

pub(crate) use member::MemberOptions;
pub(crate) use node::serve;
pub(crate) use node_name::NodeName;
pub(crate) use pool::{Pool, PoolEvents, PoolOptions};
pub(crate) use remote_runner::RemoteRunner;
