//! `erlconcolic replay`: runs saved inputs again on the code without instrumentation.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use diagnostic::Diagnostic;
use erlang_term::{Atom, Term};
use reports::{Entry, Outcome, Replayed, replay_json, replay_text};
use trace_format::Schedule;

use crate::arguments::{Format, ReplayOptions};
use crate::beam::worker::{HEAP_WORDS, Limits, Worker};
use crate::beam::{BeamRules, DeliveryModel, ProcessModel, TimeModel};
use crate::failure::Failure;
use crate::program::contract::{Conditions, Contract};
use crate::program::entry::{Choice, find_entry, read_list};
use crate::program::machines::MachineOptions;
use crate::program::original_program::OriginalProgram;
use crate::program::target::{Request, SpecUse, Target};
use crate::search::run_ends::RunEnds;
use crate::search::saved_runs::{self, SavedArguments, SavedRun, SavedSearch};
use crate::sources::front_end::{FrontEnd, Runs};
use crate::terminal::printing::print_result;

pub(crate) fn run(options: &ReplayOptions) -> Result<ExitCode, Failure> {
    let SavedSearch {
        runs: mut saved,
        atoms,
    } = saved_runs::read(&options.file)?;
    // Inputs that a precondition rejected are not tests.
    saved.retain(|run| !run.outcome.is_rejected());
    need_postcondition(options, &saved)?;
    let front_end = FrontEnd::new(&options.compilation)?;
    let program = OriginalProgram::prepare(&options.sources, &front_end)?;
    let entries = find_entries(&saved, &program)?;
    let mut workers = Workers::new(options, &front_end, &program, atoms);
    let mut replayed = Vec::with_capacity(saved.len());
    for run in saved {
        if let Some(entry) = entries.get(&run.entry) {
            let list = arguments(options, &run, entry, &front_end)?;
            replayed.extend(workers.replay(run, entry, list)?);
        }
    }
    let text = match options.format {
        Format::Human => replay_text(&replayed),
        Format::Json => format!("{:#}\n", replay_json(&replayed)),
    };
    print_result(&mut io::stdout().lock(), [text])?;
    let is_fine = replayed.iter().all(|it| it.verdict().is_fine());
    Ok(if is_fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Without the postcondition, results that break it would pass.
fn need_postcondition(options: &ReplayOptions, saved: &[SavedRun]) -> Result<(), Failure> {
    let breaks = |run: &SavedRun| run.outcome.breaks_postcondition();
    if options.post.is_none() && saved.iter().any(breaks) {
        let title = "some results break a postcondition, but --post is missing";
        return Err(Diagnostic::error("bad-condition", title)
            .help("use the same --pre and --post as for explore")
            .into());
    }
    Ok(())
}

/// The functions that were run, by name. All missing ones are reported.
fn find_entries(
    saved: &[SavedRun],
    program: &OriginalProgram,
) -> Result<BTreeMap<String, Entry>, Failure> {
    let mut entries = BTreeMap::new();
    let mut diagnostics = Vec::new();
    let mut names: Vec<&String> = saved.iter().map(|run| &run.entry).collect();
    names.sort();
    names.dedup();
    for name in names {
        match find_entry("the saved entry", name, &program.modules) {
            Ok(entry) => {
                entries.insert(name.clone(), entry);
            }
            Err(Failure(more)) => diagnostics.extend(more),
        }
    }
    if diagnostics.is_empty() {
        Ok(entries)
    } else {
        Err(Failure(diagnostics))
    }
}

/// The arguments of a run as a list of terms.
fn arguments(
    options: &ReplayOptions,
    run: &SavedRun,
    entry: &Entry,
    front_end: &FrontEnd,
) -> Result<Term, Failure> {
    let bad = |why: &str| saved_runs::bad(&options.file, &format!("test {}: {why}", run.id));
    let list = match &run.arguments {
        SavedArguments::List(list) => list.clone(),
        SavedArguments::Texts(texts) => {
            let text = format!("[{}]", texts.join(", "));
            let read = read_list(&text, &*front_end.helper()?)?;
            read.map_err(|why| bad(&format!("{text} {why}")))?
        }
    };
    let count = list.as_list().map_or(0, <[Term]>::len);
    if count == entry.function.arity as usize {
        Ok(list)
    } else {
        let arity = entry.function.arity;
        Err(bad(&format!(
            "{} takes {arity} arguments, but has {count}",
            run.entry
        )))
    }
}

/// The BEAMs that run inputs: one for all entries; with conditions one for each, since these become a
/// wrapper of the entry.
struct Workers<'replay> {
    conditions: Conditions<'replay>,
    limits: Limits,
    front_end: &'replay FrontEnd,
    program: &'replay OriginalProgram,
    /// Maps have their keys in the order that they had.
    rules: Arc<BeamRules>,
    current: Option<(Entry, Option<Contract>, Worker)>,
    sources: &'replay [PathBuf],
    /// For runs with a schedule: instrumented code, for one entry.
    ordered: Option<OrderedCode>,
}

/// Code whose processes follow schedules.
struct OrderedCode {
    entry: Entry,
    target: Target,
    worker: Worker,
}

/// How the processes of a run are controlled that follows a whole schedule: it says when times are
/// over, and when messages arrive.
fn ordered_model(schedule: &Schedule) -> ProcessModel {
    ProcessModel {
        time: TimeModel::Any,
        delivery: if schedule.has_deliveries() {
            DeliveryModel::Any
        } else {
            DeliveryModel::Instant
        },
        is_recorded: false,
        ..ProcessModel::default()
    }
}

impl<'replay> Workers<'replay> {
    fn new(
        options: &'replay ReplayOptions,
        front_end: &'replay FrontEnd,
        program: &'replay OriginalProgram,
        atoms: Vec<Atom>,
    ) -> Self {
        Self {
            conditions: Conditions {
                before: options.pre.as_deref(),
                after: options.post.as_deref(),
            },
            limits: Limits {
                milliseconds: options.run_timeout,
                heap_words: HEAP_WORDS,
                allowed: Vec::new(),
            },
            front_end,
            program,
            rules: Arc::new(BeamRules::with_earlier(atoms)),
            current: None,
            sources: &options.sources,
            ordered: None,
        }
    }

    /// Runs an input again, with the schedule that it had.
    fn run_like(&mut self, run: &SavedRun, entry: &Entry, list: Term) -> Result<Outcome, Failure> {
        if run.schedule.leases().is_empty() {
            return self.run(entry, list);
        }
        let mut code = match self.ordered.take() {
            Some(code) if code.entry == *entry => code,
            _ => self.ordered_code(entry)?,
        };
        code.worker = code.worker.with_processes(ordered_model(&run.schedule));
        let start = code.target.instrumented_start(entry)?;
        let function = (&start.module, &start.body);
        let run = code
            .worker
            .run_scheduled(function, list, &run.schedule, &self.limits)?;
        let mut ends = RunEnds::new(code.target.own_sources());
        let mut end = ends.of(entry, run.outcome, run.gate.processes);
        code.target.tidy(&mut end.of_entry);
        self.ordered = Some(code);
        Ok(end.into_outcome())
    }

    fn ordered_code(&self, entry: &Entry) -> Result<OrderedCode, Failure> {
        let name = [entry.to_string()];
        let request = Request {
            sources: self.sources,
            choice: Choice {
                entries: &name,
                ..Choice::default()
            },
            arguments: &[],
            wire: None,
            opaque: &[],
            conditions: self.conditions,
            machines: MachineOptions::default(),
            specs: SpecUse::NoInputs,
            runs: Runs::OnOneBeam,
        };
        let target = Target::prepare(&request, self.front_end)?;
        let worker = target.worker().with(self.front_end.standby());
        let worker = worker.making_values(Term::list([]));
        let worker = worker.with_rules(Arc::clone(&self.rules));
        Ok(OrderedCode {
            entry: entry.clone(),
            target,
            worker,
        })
    }

    /// Runs an input again; `None` if its precondition does not hold any more. Without one, an
    /// input whose values cannot be made any more has changed. Inputs that were
    /// refused a call are skipped, because nothing would refuse it now.
    fn replay(
        &mut self,
        run: SavedRun,
        entry: &Entry,
        list: Term,
    ) -> Result<Option<Replayed>, Failure> {
        let may_be_rejected = self.conditions.before.is_some() || !list.has_recipes();
        let arguments = list.as_list().unwrap_or_default();
        let arguments = arguments.iter().map(Term::to_string).collect();
        let now = if matches!(run.outcome, Outcome::Blocked(_)) {
            None
        } else {
            Some(self.run_like(&run, entry, list)?)
        };
        if may_be_rejected && now.as_ref().is_some_and(Outcome::is_rejected) {
            return Ok(None);
        }
        Ok(Some(Replayed {
            id: run.id,
            entry: entry.clone(),
            arguments,
            saved: run.outcome,
            now,
        }))
    }

    fn run(&mut self, entry: &Entry, list: Term) -> Result<Outcome, Failure> {
        let (current, contract, mut worker) = match self.current.take() {
            Some((current, contract, worker)) if contract.is_none() || current == *entry => {
                (current, contract, worker)
            }
            _ => self.start(entry)?,
        };
        let Entry {
            module, function, ..
        } = match &contract {
            Some(contract) => contract.start(),
            None => entry.clone(),
        };
        let module = self.program.renaming.loaded_as(&module);
        let mut run = worker.run(module, &function.name, list, &self.limits)?;
        if let Some(contract) = &contract {
            contract.tidy(&mut run.outcome);
        }
        self.program.own_sources.locate(&mut run.outcome);
        self.current = Some((current, contract, worker));
        Ok(run.outcome)
    }

    fn start(&self, entry: &Entry) -> Result<(Entry, Option<Contract>, Worker), Failure> {
        let contract = Contract::find(self.conditions, entry, &self.program.modules)?;
        let mut beams = self.program.beams.clone();
        let renaming = &self.program.renaming;
        if let Some(contract) = &contract {
            beams.push(contract.beam(self.front_end, renaming)?);
        }
        let worker = Worker::for_original_code(beams, self.program.configuration.clone())
            .with_aliases(renaming.aliases())
            .with_rules(Arc::clone(&self.rules))
            .with(self.front_end.standby());
        Ok((entry.clone(), contract, worker))
    }
}
