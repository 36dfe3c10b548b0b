//! Nodes of `erlconcolic serve` on this machine, and searches that use them.

mod node;
mod relay;

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

pub use node::{Node, free_port};
pub use relay::{Relay, RelayFault};

use crate::faults::round::{Ended, Round};
use crate::report_values::list;

/// The file with the cookie, in the folder of a round.
pub const COOKIE: &str = "cookie";
/// Where nodes have their temporary files. Those of a node that is killed stay there.
pub const NODE_FILES: &str = "node-files";

/// A search of a round on nodes, which are given as `NAME@HOST:PORT`.
pub fn search_on(round: &Round, arguments: &[&str], nodes: &[&str]) -> Command {
    write_cookie(round);
    let on = nodes.join(",");
    let of_cluster = ["--on", on.as_str(), "--cookie-file", COOKIE];
    let mut command = round.command(&[arguments, &of_cluster[..]].concat());
    with_short_times(&mut command);
    command
}

/// Lets nodes and searches notice soon that others are gone.
pub fn with_short_times(command: &mut Command) {
    command
        .env("ERLCONCOLIC_NET_TICK", "4")
        .env("ERLCONCOLIC_PATIENCE", "3000")
        .env_remove("ERLCONCOLIC_NODES");
}

/// Writes the file with the cookie.
pub fn write_cookie(round: &Round) {
    round.place.write(COOKIE, b"secret");
}

/// What a search found: what is the same however many machines take part. Inputs are not: that for a
/// path is made from the one of an earlier run, and which one is earlier is a matter of chance.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// Traces with their outcomes.
    pub paths: BTreeSet<String>,
    /// Places and reasons.
    pub findings: BTreeSet<String>,
    /// How many runs there were.
    pub tests: usize,
    /// Whether nothing is left.
    pub is_complete: bool,
}

impl Found {
    /// What is in a report.
    pub fn of(report: &Value) -> Self {
        let tests = list(report, "tests");
        Self {
            paths: texts(tests, &["trace", "schedule", "outcome"]),
            findings: texts(
                list(report, "findings"),
                &["class", "reason", "file", "line", "confirmed"],
            ),
            tests: tests.len(),
            is_complete: report["complete"] == true,
        }
    }
}

fn texts(all: &[Value], keys: &[&str]) -> BTreeSet<String> {
    let texts = all.iter().map(|it| {
        let parts = keys.iter().map(|key| it[*key].to_string());
        parts.collect::<Vec<_>>().join(" ")
    });
    texts.collect()
}

/// How many runs a node has made, as a search says at its end.
pub fn made(ended: &Ended, node: &Node) -> usize {
    let mark = format!("note: {} made ", node.name());
    let line = ended.stderr.lines().find_map(|it| it.strip_prefix(&mark));
    let count = line.and_then(|it| it.split(' ').next()?.parse().ok());
    count.unwrap_or(0)
}
