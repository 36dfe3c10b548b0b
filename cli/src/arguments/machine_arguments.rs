//! The arguments of `explore` that are about machines.

use std::path::PathBuf;

use clap::Args;

/// How many events a sequence has at most, if nobody says.
const USUAL_LENGTH: usize = 4;

const MACHINES: &str = "Machines and calls";

#[derive(Args, Debug)]
pub(crate) struct MachineArguments {
    /// A module with the behaviour gen_server or gen_statem: finds sequences of events (repeatable)
    #[arg(long = "machine", value_name = "M", help_heading = MACHINES)]
    pub(crate) machines: Vec<String>,

    /// A module with specs: finds sequences of calls of its functions, where what one returns is an
    /// argument of later ones (repeatable)
    #[arg(long, value_name = "M", help_heading = MACHINES)]
    pub(crate) calls: Vec<String>,

    /// How many events or calls a sequence has at most
    #[arg(
        long,
        default_value_t = USUAL_LENGTH,
        value_name = "N",
        help_heading = MACHINES
    )]
    pub(crate) length: usize,

    /// The type of events: {call, T} | {cast, T} | {info, T}, or of what events contain
    #[arg(long, value_name = "M:T/0", help_heading = MACHINES)]
    pub(crate) events: Option<String>,

    /// Report states for which this function returns `false`, after each event; it takes the state,
    /// for gen_statem {State, Data}, for calls what they made
    #[arg(long, value_name = "M:F/1", help_heading = MACHINES)]
    pub(crate) invariant: Option<String>,

    /// What reports call a state: a function of the state, for gen_statem of {State, Data}
    #[arg(long, value_name = "M:F/1", help_heading = MACHINES)]
    pub(crate) state_of: Option<String>,

    /// Also write states and transitions to this file, for Graphviz
    #[arg(long, value_name = "FILE", help_heading = MACHINES)]
    pub(crate) dot: Option<PathBuf>,

    /// With --all and --module: functions only
    #[arg(long, help_heading = MACHINES)]
    pub(crate) no_machines: bool,
}
