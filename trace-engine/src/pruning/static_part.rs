//! What is known of a program before it runs: what is looked at, and what is needed where.

use std::sync::OnceLock;

use flattener::flat::{Callable, SiteId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use trace_format::{Program, ProgramModule};

use super::demand::{Demand, FunctionPlace};
use super::function_pass::FunctionPass;
use super::growing_demand::GrowingDemand;
use super::leaving::{LeavingFunctions, is_library};
use super::liveness::{LiveVariables, UnseenResults, live_variables};
use super::view::View;
use super::view_rule::ViewRule;

type LiveAtSites = FxHashMap<SiteId, LiveVariables>;

/// What is known of a program before it runs.
#[derive(Debug)]
pub(crate) struct Pruning {
    demand: Demand,
    /// What is looked at of the reason of an exception.
    reason: View,
    /// For each module, for each function; found when it is asked for.
    live: Vec<Vec<OnceLock<LiveAtSites>>>,
    leaving: LeavingFunctions,
    /// Whether each module is a copy of a library module.
    libraries: Vec<bool>,
    /// Modules of the entries.
    own: FxHashSet<usize>,
}

/// Where what a run raises may be reported, of those who wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportedAt {
    /// At a line of this module.
    Here,
    /// Perhaps there.
    Perhaps,
    /// Never there.
    Elsewhere,
}

impl Pruning {
    /// A program that is searched from these entries.
    pub(crate) fn new(program: &Program, entries: &[FunctionPlace]) -> Self {
        let modules = program.modules().iter();
        let live = modules.map(|module| {
            let functions = module.flat.functions.iter();
            functions.map(|_| OnceLock::new()).collect()
        });
        let demand = demand_of(program, entries);
        let mut reason = View::word();
        reason.add(&demand.raised);
        Self {
            demand,
            reason,
            live: live.collect(),
            leaving: LeavingFunctions::new(program),
            libraries: program.modules().iter().map(is_library).collect(),
            own: entries.iter().map(|it| it.0).collect(),
        }
    }

    /// Whether a function may be gone when something is raised in its place, so that it is reported
    /// at the line of somebody who waits.
    pub(crate) fn may_leave(&self, place: FunctionPlace) -> bool {
        (self.is_library(place.0) || self.leaving.has(place)) && ViewRule::ReportedLines.is_kept()
    }

    /// Whether what library functions raise is reported at lines of a module.
    pub(crate) fn reported_at(&self, module: usize) -> ReportedAt {
        if self.own.contains(&module) {
            ReportedAt::Here
        } else if self.is_library(module) {
            ReportedAt::Elsewhere
        } else {
            ReportedAt::Perhaps
        }
    }

    fn is_library(&self, module: usize) -> bool {
        self.libraries.get(module).copied().unwrap_or(true)
    }

    /// What is live at a site of a function, which has this code.
    pub(crate) fn live(
        &self,
        code: &ProgramModule,
        place: FunctionPlace,
        site: SiteId,
    ) -> Option<&LiveVariables> {
        let function = code.function(place.1)?;
        let slot = self.live.get(place.0)?.get(place.1)?;
        let sites = slot.get_or_init(|| {
            let unseen = UnseenResults {
                of_function: self.demand.is_unseen(place),
                of_local: &|local| self.demand.is_local_unseen(place, local),
            };
            live_variables(function, &unseen).into_iter().collect()
        });
        sites.get(&site)
    }

    /// What is looked at of a variable of a function.
    pub(crate) fn view(&self, place: FunctionPlace, variable: VarId) -> &View {
        self.demand.variable(place, variable)
    }

    /// What is looked at of the result of something that can be called, in a function.
    pub(crate) fn result_view(&self, place: FunctionPlace, callable: Callable) -> &View {
        match callable {
            Callable::Function(_) => self.demand.result(place),
            Callable::Local(_, local) => self.demand.result_of_local(place, local),
            Callable::Fun(_) => &View::Full,
        }
    }

    /// What is looked at of the reason of an exception.
    pub(crate) fn reason_view(&self) -> &View {
        &self.reason
    }
}

/// What runs look at in a program that is searched from these entries.
pub(super) fn demand_of(program: &Program, entries: &[FunctionPlace]) -> Demand {
    let mut growing = GrowingDemand::new(program, entries);
    while let Some(place) = growing.next() {
        FunctionPass::run(&mut growing, place);
    }
    growing.found
}
