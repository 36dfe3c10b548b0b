//! The arguments about many machines.

use std::env;
use std::path::PathBuf;

use clap::Args;
use diagnostic::Diagnostic;

use super::values::CLUSTER;
use crate::cluster::{MemberOptions, NodeName, PoolOptions};
use crate::failure::Failure;

/// Names the nodes of a search if `--on` does not.
const NODES_VARIABLE: &str = "ERLCONCOLIC_NODES";

/// Take part in searches over Erlang distribution
///
/// Runs inputs for `erlconcolic explore --on NAME@HOST` on other machines. SIGTERM lets the node
/// finish its runs and leave.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic serve --name w1@host1.example --workers 8
  erlconcolic serve --name w1@host1.example --port 4711 --tls /etc/erlconcolic/tls.conf

Without --tls, the cookie protects only within a network that you trust.

Exit status: 0 the node has left, 2 it cannot take part.")]
pub(crate) struct ServeOptions {
    /// The name of this node, and the name or address of this machine for others
    #[arg(long, value_name = "NAME@HOST")]
    pub(crate) name: String,

    /// Listen on this port; then epmd is not needed [default: any port, which epmd knows]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,

    /// How many BEAMs run inputs in parallel
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) workers: usize,

    #[command(flatten)]
    pub(crate) trust: TrustOptions,
}

/// How nodes know one another.
#[derive(Args, Clone, Debug)]
pub(crate) struct TrustOptions {
    /// The file with the cookie of the cluster [default: ~/.erlang.cookie]
    #[arg(long, value_name = "FILE", help_heading = CLUSTER)]
    pub(crate) cookie_file: Option<PathBuf>,

    /// Connect by TLS, with the options in this file, as for `erl -ssl_dist_optfile`
    #[arg(long, value_name = "FILE", help_heading = CLUSTER)]
    pub(crate) tls: Option<PathBuf>,
}

/// The nodes of a search.
#[derive(Args, Clone, Debug)]
pub(crate) struct ClusterOptions {
    /// Also run inputs on these nodes of `erlconcolic serve`: NAME@HOST, or NAME@HOST:PORT for a node
    /// with --port, with commas between them [default: those in ERLCONCOLIC_NODES]
    #[arg(
        long,
        value_name = "NODES",
        value_delimiter = ',',
        help_heading = CLUSTER
    )]
    on: Vec<String>,

    #[command(flatten)]
    trust: TrustOptions,
}

impl TrustOptions {
    pub(crate) fn member(&self) -> MemberOptions {
        MemberOptions {
            cookie_file: self.cookie_file.clone(),
            tls: self.tls.clone(),
        }
    }
}

impl ServeOptions {
    /// The node.
    pub(crate) fn node(&self) -> Result<NodeName, Failure> {
        let name = node_name(&self.name)?;
        Ok(NodeName {
            port: self.port.or(name.port),
            ..name
        })
    }
}

impl ClusterOptions {
    /// The nodes; `None` if the search is to run here alone.
    pub(crate) fn pool(&self) -> Result<Option<PoolOptions>, Failure> {
        let mut named = self.on.clone();
        if named.is_empty() {
            let variable = env::var(NODES_VARIABLE).unwrap_or_default();
            named.extend(variable.split(',').map(str::to_owned));
        }
        let named = named.iter().map(|it| it.trim()).filter(|it| !it.is_empty());
        let mut nodes = named.map(node_name).collect::<Result<Vec<_>, _>>()?;
        let mut known = Vec::new();
        nodes.retain(|it| {
            let is_new = !known.contains(&it.name);
            known.push(it.name.clone());
            is_new
        });
        let member = self.trust.member();
        Ok((!nodes.is_empty()).then_some(PoolOptions {
            nodes,
            member,
            is_one_by_one: false,
            replays: true,
        }))
    }
}

fn node_name(text: &str) -> Result<NodeName, Failure> {
    text.parse().map_err(|why: String| {
        Diagnostic::error("bad-node", why)
            .help("write it as in --on w1@host1.example,w2@host2.example:4711")
            .into()
    })
}
