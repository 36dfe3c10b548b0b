//! `erlconcolic replay`: runs saved inputs again on the code without instrumentation.

mod ordered_code;
mod played_code;
mod saved_inputs;

use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use diagnostic::Diagnostic;
use erlang_term::{Atom, Term};
use reports::{Entry, EntryKind, Outcome, Replayed, replay_json, replay_text};

use crate::arguments::{Format, ReplayOptions};
use crate::beam::BeamRules;
use crate::beam::worker::{HEAP_WORDS, Limits, Worker};
use crate::failure::Failure;
use crate::program::contract::{Conditions, Contract};
use crate::program::entry::{Choice, find_saved_entry};
use crate::program::machines::MachineOptions;
use crate::program::original_program::OriginalProgram;
use crate::program::recipe_grammar::Change;
use crate::program::recipe_wrapper::RecipeWrapper;
use crate::program::target::{Request, SpecUse};
use crate::search::saved_runs::{self, SavedRun, SavedSearch};
use crate::sources::front_end::{FrontEnd, Runs};
use crate::sources::specs::{OpaqueTypes, all_specs};
use crate::terminal::printing::print_result;
use ordered_code::OrderedCode;
use played_code::PlayedCode;
use saved_inputs::{SavedInput, bad_test};

pub(crate) fn run(options: &ReplayOptions) -> Result<ExitCode, Failure> {
    let SavedSearch {
        runs: mut saved,
        atoms,
    } = saved_runs::read(&options.file)?;
    // Inputs that a precondition rejected are not tests.
    saved.retain(|run| !run.outcome.is_rejected());
    need_conditions(options, &saved)?;
    let front_end = FrontEnd::new(&options.compilation)?;
    let program = OriginalProgram::prepare(&options.sources, &front_end)?;
    let entries = find_entries(&saved, &program)?;
    let mut inputs = Vec::with_capacity(saved.len());
    for run in saved {
        if let Some(entry) = entries.get(&run.entry) {
            let input = SavedInput::of(&options.file, &run, entry, &front_end)?;
            inputs.push((run, entry, input));
        }
    }
    let mut workers = Workers::new(options, &front_end, &program, atoms);
    for (_, entry, input) in &inputs {
        workers.expect(entry, input);
    }
    let mut replayed = Vec::with_capacity(inputs.len());
    for (run, entry, input) in inputs {
        replayed.extend(workers.replay(run, entry, input)?);
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

/// Without the conditions of the search, results that break them would pass.
fn need_conditions(options: &ReplayOptions, saved: &[SavedRun]) -> Result<(), Failure> {
    let mut outcomes = saved.iter().map(|run| &run.outcome);
    let missing = |title: &str, help: &str| {
        let error = Diagnostic::error("bad-condition", title);
        Err(error.help(help).into())
    };
    if options.post.is_none() && outcomes.clone().any(Outcome::breaks_postcondition) {
        let title = "some results break a postcondition, but --post is missing";
        return missing(title, "use the same --pre and --post as for explore");
    }
    let mut broken = outcomes.clone().filter_map(Outcome::broken_fun_contract);
    if !options.contracts && broken.next().is_some() {
        let title = "some results break the contract of a fun, but --contracts is missing";
        return missing(title, "use --contracts as for explore");
    }
    if options.invariant.is_none() && outcomes.any(|it| it.broken_invariant().is_some()) {
        let title = "some sequences break an invariant, but --invariant is missing";
        return missing(title, "use the same --invariant as for explore");
    }
    Ok(())
}

/// What was run, by name. All missing ones are reported.
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
        match find_saved_entry(name, &program.modules) {
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

/// The BEAM that runs inputs of an entry, perhaps in wrappers.
struct Current {
    entry: Entry,
    contract: Option<Contract>,
    fun_contracts: RecipeWrapper,
    worker: Worker,
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
    current: Option<Current>,
    options: &'replay ReplayOptions,
    /// For runs with a schedule: instrumented code, for one entry.
    ordered: Option<OrderedCode>,
    /// The machine or the calls that are played.
    played: Option<PlayedCode>,
    /// How many events or calls the sequences of entries have at most.
    lengths: BTreeMap<String, usize>,
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
            options,
            ordered: None,
            played: None,
            lengths: BTreeMap::new(),
        }
    }

    /// Prepares for an input of an entry.
    fn expect(&mut self, entry: &Entry, input: &SavedInput) {
        let length = self.lengths.entry(entry.to_string()).or_insert(1);
        *length = input.length().max(*length);
    }

    /// Runs an input again, with the schedule that it had.
    fn run_like(&mut self, run: &SavedRun, entry: &Entry, list: Term) -> Result<Outcome, Failure> {
        if run.schedule.leases().is_empty() {
            return self.run(entry, list);
        }
        let mut code = match self.ordered.take() {
            Some(code) if code.entry == *entry => code,
            _ => {
                let (name, none) = ([entry.to_string()], &[][..]);
                let request = self.request(entry, &name, none, none);
                OrderedCode::prepare(entry, &request, self.front_end, &self.rules)?
            }
        };
        let outcome = code.run(list, &run.schedule, &self.limits);
        self.ordered = Some(code);
        outcome
    }

    /// The code of a machine or of calls.
    fn played_code(&mut self, entry: &Entry) -> Result<PlayedCode, Failure> {
        match self.played.take() {
            Some(code) if code.entry() == entry => Ok(code),
            _ => {
                let (module, none) = ([entry.module.to_string()], &[][..]);
                let request = match entry.kind {
                    EntryKind::Calls => self.request(entry, none, none, &module),
                    EntryKind::Machine(_) | EntryKind::Function => {
                        self.request(entry, none, &module, none)
                    }
                };
                PlayedCode::prepare(entry, &request, self.front_end, &self.rules)
            }
        }
    }

    /// What to instrument for an entry, given what is chosen: functions, machines and calls.
    fn request<'request>(
        &'request self,
        entry: &Entry,
        entries: &'request [String],
        machines: &'request [String],
        calls: &'request [String],
    ) -> Request<'request> {
        Request {
            sources: &self.options.sources,
            choice: Choice {
                entries,
                machines,
                calls,
                ..Choice::default()
            },
            arguments: &[],
            wire: None,
            opaque: &[],
            conditions: self.conditions,
            contracts: false,
            machines: MachineOptions {
                length: self.lengths.get(&entry.to_string()).copied().unwrap_or(1),
                invariant: self.options.invariant.as_deref(),
                plays_all: true,
                ..MachineOptions::default()
            },
            specs: SpecUse::NoInputs,
            runs: Runs::OnOneBeam,
        }
    }

    /// Runs an input again; `None` if its precondition does not hold any more. Without one, an
    /// input whose values cannot be made any more has changed. Inputs that were
    /// refused a call are skipped, because nothing would refuse it now.
    fn replay(
        &mut self,
        run: SavedRun,
        entry: &Entry,
        input: SavedInput,
    ) -> Result<Option<Replayed>, Failure> {
        let is_run = !matches!(run.outcome, Outcome::Blocked(_));
        let (list, now) = if let SavedInput::Arguments(list) = input {
            let now = is_run.then(|| self.run_like(&run, entry, list.clone()));
            (list, now.transpose()?)
        } else {
            let mut code = self.played_code(entry)?;
            let list = code.arguments(&input);
            let list = list.map_err(|why| bad_test(&self.options.file, &run, &why))?;
            let now = is_run.then(|| code.run(list.clone(), &run.schedule, &self.limits));
            self.played = Some(code);
            (list, now.transpose()?)
        };
        let is_made = entry.kind != EntryKind::Calls && !list.has_recipes();
        let may_be_rejected = self.conditions.before.is_some() || is_made;
        if may_be_rejected && now.as_ref().is_some_and(Outcome::is_rejected) {
            return Ok(None);
        }
        let arguments = list.as_list().unwrap_or_default();
        Ok(Some(Replayed {
            id: run.id,
            entry: entry.clone(),
            arguments: entry.arguments(arguments),
            saved: run.outcome,
            now,
        }))
    }

    fn run(&mut self, entry: &Entry, list: Term) -> Result<Outcome, Failure> {
        let is_wrapped = self.conditions.is_some() || self.options.contracts;
        let mut current = match self.current.take() {
            Some(current) if !is_wrapped || current.entry == *entry => current,
            _ => self.start(entry)?,
        };
        let contract = current.contract.as_ref();
        let wrapper = current.fun_contracts.start(entry);
        let wrapper = wrapper.or_else(|| Some(contract?.start()));
        let Entry {
            module, function, ..
        } = wrapper.unwrap_or_else(|| entry.clone());
        let module = self.program.renaming.loaded_as(&module);
        let worker = &mut current.worker;
        let mut run = worker.run(module, &function.name, list, &self.limits)?;
        current.fun_contracts.tidy(&mut run.outcome);
        if let Some(contract) = &current.contract {
            contract.tidy(&mut run.outcome);
        }
        self.program.own_sources.locate(&mut run.outcome);
        self.current = Some(current);
        Ok(run.outcome)
    }

    fn start(&self, entry: &Entry) -> Result<Current, Failure> {
        let contract = Contract::find(self.conditions, entry, &self.program.modules)?;
        let fun_contracts = self.fun_contracts(entry, contract.as_ref())?;
        let mut beams = self.program.beams.clone();
        let renaming = &self.program.renaming;
        if let Some(contract) = &contract {
            beams.push(contract.beam(self.front_end, renaming)?);
        }
        beams.extend(fun_contracts.beam(self.front_end, renaming)?);
        let worker = Worker::for_original_code(beams, self.program.configuration.clone())
            .with_aliases(renaming.aliases())
            .with_rules(Arc::clone(&self.rules))
            .with(self.front_end.standby());
        Ok(Current {
            entry: entry.clone(),
            contract,
            fun_contracts,
            worker,
        })
    }

    /// What checks the funs of an entry, if that is wanted.
    fn fun_contracts(
        &self,
        entry: &Entry,
        contract: Option<&Contract>,
    ) -> Result<RecipeWrapper, Failure> {
        let mut wrapper = RecipeWrapper::new(Change::CheckFuns);
        if !self.options.contracts || !entry.is_function() {
            return Ok(wrapper);
        }
        let files = &self.program.files;
        let specs = all_specs(self.front_end, [entry.clone()], files, OpaqueTypes::Made)?;
        let start = contract.map_or_else(|| entry.clone(), Contract::start);
        wrapper.wrap(entry, &start, specs.get(entry), &[]);
        Ok(wrapper.at_places_in(&self.program.modules))
    }
}
