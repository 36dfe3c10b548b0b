//! A search whose runs are replayed and solved by an assistant, as nodes do it. What search and
//! assistant tell each other is turned into bytes and back.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use erlang_term::Atom;
use erlconcolic::worker::Outcome;
use flattener::flat::Module;
use serde::Serialize;
use serde::de::DeserializeOwned;
use solver::ReleaseRules;
use trace_engine::explore::{
    Answers, AskedWay, Assistant, Attempt, Execution, Executor, OpenRun, ReplayedElsewhere, Report,
    SearchBrief, Solvers, Task, explore,
};
use trace_format::Program;

use crate::exploring::{BeamExecutor, Plan};

/// Runs a function on a BEAM; an assistant replays and solves.
pub struct AssistedExecutor<'search, 'program> {
    executor: &'search mut BeamExecutor<'program>,
    assistant: Assistant,
    solvers: &'search (dyn Fn() -> Solvers + Sync),
    open: HashMap<(usize, usize), OpenRun>,
    answered: Option<((usize, usize), Answers)>,
    /// How often it was asked for something.
    pub questions: usize,
}

impl fmt::Debug for AssistedExecutor<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AssistedExecutor")
            .field(&self.questions)
            .finish()
    }
}

/// The same value after a way through the network.
fn sent<T: Serialize + DeserializeOwned>(value: &T) -> T {
    received(&postcard::to_stdvec(value).expect("it can be sent"))
}

fn received<T: DeserializeOwned>(bytes: &[u8]) -> T {
    postcard::from_bytes(bytes).expect("it can be received")
}

impl Plan {
    /// The same search as that of [`Plan::search`], with an assistant. Returns also how many questions
    /// it answered.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn search_assisted(
        &self,
        program: &Program,
        executor: &mut BeamExecutor<'_>,
        solvers: &(dyn Fn() -> Solvers + Sync),
    ) -> Result<(Report<Outcome>, usize), String> {
        let tasks = [Task {
            entry: executor.entry,
            ..self.task.clone()
        }];
        let brief = sent(&SearchBrief::new(&tasks, &self.options));
        let modules = program.modules().iter().map(|it| (&it.flat, &it.loaded_as));
        let modules: Vec<(&Module, &Atom)> = modules.collect();
        let modules = postcard::to_stdvec(&modules).expect("it can be sent");
        let mut assisted = AssistedExecutor {
            executor,
            assistant: Assistant::new(received(&modules), brief),
            solvers,
            open: HashMap::new(),
            answered: None,
            questions: 0,
        };
        let executors = vec![&mut assisted];
        let (mut reports, error) = explore(program, &tasks, executors, solvers, &self.options);
        match (error, reports.pop()) {
            (None, Some(report)) => Ok((report, assisted.questions)),
            (error, _) => Err(error.unwrap_or_else(|| "no report".to_owned())),
        }
    }
}

impl AssistedExecutor<'_, '_> {
    fn answer(&mut self, run: OpenRun, ways: &[AskedWay]) -> Option<Answers> {
        self.questions += ways.len();
        let mut solvers = (self.solvers)();
        let clock = || Duration::ZERO;
        self.assistant
            .solve(run, ways, &mut solvers, &clock, &|| false)
    }
}

impl Executor for &mut AssistedExecutor<'_, '_> {
    type Outcome = Outcome;
    type Error = String;

    fn run(&mut self, attempt: &Attempt<'_>) -> Result<Option<Execution<Outcome>>, String> {
        let Some(mut execution) = self.executor.run(attempt)? else {
            return Ok(None);
        };
        let order = attempt.replay_order().map(|order| sent(&order));
        let rules = self.executor.rules();
        let replayed = order.as_ref().and_then(|order| {
            self.assistant.replay(
                order,
                attempt.arguments.terms().to_vec(),
                (&execution.logs, &rules),
                &|| Duration::ZERO,
                &|| false,
            )
        });
        execution.replayed = replayed.map(|(summary, open)| {
            let foreseen = order.and_then(|order| self.assistant.foreseen(&order, &open));
            let answers = match foreseen {
                Some(ways) => self.answer(open, &ways),
                None => {
                    self.open.insert((attempt.task, attempt.number), open);
                    None
                }
            };
            Box::new(sent(&ReplayedElsewhere {
                summary,
                took: Duration::ZERO,
                answers,
            }))
        });
        Ok(Some(execution))
    }

    fn ask(&mut self, run: (usize, usize), ways: &[AskedWay]) -> bool {
        let open = self.open.remove(&run).expect("it was replayed here");
        if ways.is_empty() {
            return false;
        }
        let answers = self.answer(open, &sent(&ways.to_vec()));
        self.answered = answers.map(|answers| (run, sent(&answers)));
        true
    }

    fn answers(&mut self, run: (usize, usize)) -> Option<Answers> {
        let (of, answers) = self.answered.take()?;
        assert_eq!(of, run);
        Some(answers)
    }

    fn wait_for_any(&mut self) -> Option<(usize, usize)> {
        self.answered.as_ref().map(|it| it.0)
    }

    fn rules(&self) -> ReleaseRules {
        self.executor.rules()
    }

    fn ask_order_of_atoms(&mut self) -> Result<(), String> {
        self.executor.ask_order_of_atoms()
    }

    fn agrees_on_atoms(&mut self) -> Result<bool, String> {
        self.executor.agrees_on_atoms()
    }
}
