//! The user's EUnit tests, run on instrumented code.

use std::collections::HashMap;
use std::time::Instant;

use diagnostic::Diagnostic;
use erlang_term::Term;
use flattener::flat::FunctionId;
use reports::{Entry, FailedUnitTest, UnitTestCounts};
use trace_format::ProgramModule;

use crate::beam::BeamError;
use crate::failure::Failure;
use crate::program::target::Target;
use crate::sources::front_end::FrontEnd;

/// The results of tests, and the inputs with which they called functions.
#[derive(Debug)]
pub(crate) struct UnitTests {
    pub(crate) counts: UnitTestCounts,
    pub(crate) failed: Vec<FailedUnitTest>,
    inputs: HashMap<Entry, Vec<Vec<Term>>>,
}

impl UnitTests {
    /// Runs the tests of all modules of the user.
    ///
    /// # Errors
    /// When there are none, or they do not come to an end.
    pub(crate) fn run(
        target: &Target,
        front_end: &FrontEnd,
        end: Instant,
    ) -> Result<Self, Failure> {
        let modules = target.program.modules().iter();
        let modules: Vec<&ProgramModule> = modules.take(target.own_modules).collect();
        if !modules.iter().any(|it| has_tests(it)) {
            return Err(no_tests());
        }
        let mut worker = target.worker().with(front_end.standby());
        let mut current = None;
        let answer = worker.call_until(request(&modules), end, |part| current = test_name(&part));
        match answer {
            Ok(Ok(answer)) => {
                let tests = read(&answer);
                tests.ok_or_else(|| BeamError::BadAnswer(format!("tests: {answer}")).into())
            }
            Ok(Err(messages)) => {
                let words: Vec<String> = messages.into_iter().map(|it| it.text).collect();
                let title = format!("the tests cannot be run: {}", words.join(", "));
                Err(Diagnostic::error("unit-tests", title).into())
            }
            Err(BeamError::Died) => Err(ended("the tests ended their BEAM", current)),
            Err(BeamError::Silent) => Err(ended("the tests did not end in time", current)),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether the tests called a function.
    pub(crate) fn call(&self, entry: &Entry) -> bool {
        !self.inputs_of(entry).is_empty()
    }

    /// The inputs with which the tests called a function.
    pub(crate) fn inputs_of(&self, entry: &Entry) -> &[Vec<Term>] {
        self.inputs.get(entry).map_or(&[], Vec::as_slice)
    }
}

fn no_tests() -> Failure {
    Diagnostic::error("unit-tests", "no EUnit tests were found in the sources")
        .help("name the folders of the tests as well: erlconcolic eunit src/ test/")
        .help("tests are exported functions without parameters whose names end in _test or _test_")
        .into()
}

fn ended(title: &str, current: Option<String>) -> Failure {
    let error = Diagnostic::error("unit-tests", title);
    let error = match current {
        Some(test) => error.help(format!(
            "it happened in this test, or right after it: {test}"
        )),
        None => error,
    };
    error.help("--timeout counts for the tests as well").into()
}

/// Whether a module has tests.
fn has_tests(module: &ProgramModule) -> bool {
    module.flat.exports.iter().any(is_test)
}

fn is_test(function: &FunctionId) -> bool {
    let name = function.name.as_str();
    function.arity == 0 && (name.ends_with("_test") || name.ends_with("_test_"))
}

/// The command that runs the tests. Functions of test modules are not watched.
fn request(modules: &[&ProgramModule]) -> Term {
    let tested = modules.iter().filter(|it| has_tests(it));
    let tested = tested.map(|it| Term::Atom(it.loaded_as.clone()));
    let watched = modules
        .iter()
        .filter(|it| !it.name.as_str().ends_with("_tests"))
        .flat_map(|it| watched_functions(it));
    let request = Term::Map(vec![
        (Term::atom("modules"), Term::list(tested)),
        (Term::atom("functions"), Term::list(watched)),
    ]);
    Term::Tuple(vec![Term::atom("eunit"), request])
}

/// The exported functions of a module that are not tests.
fn watched_functions(module: &ProgramModule) -> impl Iterator<Item = Term> {
    let is_own = |id: &&FunctionId| {
        let name = id.name.as_str();
        !is_test(id) && name != "module_info" && (name, id.arity) != ("test", 0) && id.arity > 0
    };
    module.flat.exports.iter().filter(is_own).map(|id| {
        let body = module.index(id).and_then(|index| module.body_name(index));
        let names = [Some(&id.name), body].into_iter().flatten();
        let names = names.map(|name| Term::Atom(name.clone()));
        let name = [&module.name, &id.name].map(|name| Term::Atom(name.clone()));
        let arity = Term::Integer(i64::from(id.arity).into());
        Term::Map(vec![
            (Term::atom("name"), Term::Tuple(name.to_vec())),
            (Term::atom("arity"), arity),
            (
                Term::atom("loaded_as"),
                Term::Atom(module.loaded_as.clone()),
            ),
            (Term::atom("functions"), Term::list(names)),
        ])
    })
}

/// A part is `{test, Name}`.
fn test_name(part: &Term) -> Option<String> {
    let [_, name] = part.as_tuple()? else {
        return None;
    };
    text(name)
}

fn read(answer: &Term) -> Option<UnitTests> {
    let count = |key: &str| usize::try_from(answer.get(key)?.as_i64()?).ok();
    let failed = answer.get("failed")?.as_list()?.iter().map(|failure| {
        Some(FailedUnitTest {
            test: text(failure.get("test")?)?,
            why: text(failure.get("why")?)?,
        })
    });
    let failed = failed.collect::<Option<Vec<_>>>()?;
    let inputs = answer.get("inputs")?.as_list()?.iter();
    let inputs = inputs.flat_map(|it| function_inputs(it).unwrap_or_default());
    let mut by_function: HashMap<_, Vec<Vec<Term>>> = HashMap::new();
    for (function, arguments) in inputs {
        by_function.entry(function).or_default().push(arguments);
    }
    Some(UnitTests {
        counts: UnitTestCounts {
            passed: count("passed")?,
            failed: failed.len(),
            skipped: count("skipped")?,
            inputs: by_function.values().map(Vec::len).sum(),
        },
        failed,
        inputs: by_function,
    })
}

/// The inputs of one function: `{Module, Function, [Arguments]}`.
fn function_inputs(term: &Term) -> Option<Vec<(Entry, Vec<Term>)>> {
    let [Term::Atom(module), Term::Atom(name), inputs] = term.as_tuple()? else {
        return None;
    };
    let inputs = inputs.as_list()?.iter().filter_map(|list| {
        let arguments = list.as_list()?.to_vec();
        let function = FunctionId {
            name: name.clone(),
            arity: u32::try_from(arguments.len()).ok()?,
        };
        let module = module.clone();
        Some((Entry::new(module, function), arguments))
    });
    Some(inputs.collect())
}

fn text(term: &Term) -> Option<String> {
    Some(String::from_utf8_lossy(term.as_binary()?).into_owned())
}
