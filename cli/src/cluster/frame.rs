//! What searches and nodes tell one another.

use std::sync::Arc;
use std::time::Duration;

use erlang_term::{Atom, Term};
use serde::{Deserialize, Serialize};
use trace_engine::explore::{Answers, Arguments, AskedWay, ReplayOrder, ReplayedElsewhere};

use super::fleet::Times;
use crate::beam::worker::{Limits, Run};

/// From a search to a node.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum NodeRequest {
    /// The program of the search, by its hash, and what an assistant must know of the search.
    Begin(String, #[serde(with = "serde_bytes")] Vec<u8>),
    /// The program, because the node does not have it: its hash, and what workers need.
    Program(String, Term),
    /// Something to do.
    Run(Batch),
}

/// Inputs to run, and questions about runs.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Batch {
    /// The atoms that matter, in their order.
    pub(super) atoms: Vec<Atom>,
    /// How long the node gathers what it has to say.
    pub(super) moment: Duration,
    /// The functions that are run, by the numbers of their tasks.
    pub(super) functions: Vec<(usize, Arc<FunctionOrder>)>,
    /// Inputs, by their numbers.
    pub(super) orders: Vec<(i64, Arc<Order>)>,
    /// Questions, by the numbers of the inputs. Without ways, nothing more is asked about that run.
    pub(super) questions: Vec<(i64, Vec<AskedWay>)>,
}

/// A function that is run, and how.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FunctionOrder {
    pub(super) module: Atom,
    pub(super) function: Atom,
    pub(super) limits: Limits,
}

/// An input, and what its run depends on.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// The number of the task.
    pub(super) task: usize,
    pub(super) arguments: Arguments,
    /// Which process takes its steps when, as text.
    pub(super) schedule: String,
    /// How it is replayed, if that is wanted.
    pub(super) replay: Option<ReplayOrder>,
}

/// From a node to a search.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum NodeReply {
    /// The node does not have the program.
    Wanted,
    /// The node has the program, and so many workers.
    Ready(usize),
    /// A [`NodeRun`], for the thread that waits for it.
    Ran(i64, Times, #[serde(with = "serde_bytes")] Vec<u8>),
    /// [`Answers`] to questions about a run.
    Answered(i64, Times, #[serde(with = "serde_bytes")] Vec<u8>),
    /// The node cannot run the program.
    Failed(String),
    /// The node leaves, and will not make this run.
    Returned(i64),
    /// The node makes no more runs than it has begun with.
    Leaving,
}

/// A run that a node has made.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct NodeRun {
    pub(super) run: Run,
    /// How many of the atoms that matter were in order in it.
    pub(super) agreed: usize,
    /// How long it took.
    pub(super) took: Duration,
    /// Its replay, if it was replayed there.
    pub(super) replayed: Option<Box<ReplayedElsewhere>>,
}

impl NodeRequest {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        packed(self)
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        unpacked(bytes)
    }
}

impl Batch {
    /// Adds an input of a function.
    pub(super) fn order(&mut self, id: i64, order: &Arc<Order>, function: &Arc<FunctionOrder>) {
        if !self.functions.iter().any(|it| it.0 == order.task) {
            self.functions.push((order.task, Arc::clone(function)));
        }
        self.orders.push((id, Arc::clone(order)));
    }
}

impl NodeReply {
    pub(super) fn ran(id: i64, times: Times, run: &NodeRun) -> Self {
        Self::Ran(id, times, packed(run))
    }

    pub(super) fn answered(id: i64, times: Times, answers: &Answers) -> Self {
        Self::Answered(id, times, packed(answers))
    }

    /// What travels to a search as one frame.
    pub(super) fn frame(replies: &[Self]) -> Vec<u8> {
        packed(&replies)
    }

    /// The replies in a frame; none if it makes no sense.
    pub(super) fn all(frame: &[u8]) -> Vec<Self> {
        unpacked(frame).unwrap_or_default()
    }
}

/// What is in a part of a frame, if it makes sense.
pub(super) fn unpacked<'frame, T: Deserialize<'frame>>(bytes: &'frame [u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

fn packed(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).unwrap_or_default()
}
