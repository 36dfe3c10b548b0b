//! The runs of a search, saved in a file.
//!
//! The file only grows: a header that identifies the search, then a record for each run, with its
//! length and a checksum. Other records have the order of the atoms that matter. A record that a
//! killed tool left incomplete is cut off. A resumed search takes the same steps again, and reads
//! known runs from here.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use erlang_term::{Atom, Term, decode, encode};
use reports::RunEnd;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use trace_format::Schedule;
use trace_format::manifest::hash;

use crate::beam::worker::{Outcome, Run};
use crate::failure::Failure;
use crate::files::output::short_name;
use crate::files::plain_file;
use crate::search::run_terms::{from_term, text, to_term};

/// The name of the file in its folder.
const FILE: &str = "runs.journal";
/// The first line of the file.
const MAGIC: &str = "erlconcolic runs 1";
/// The first element of a record with atoms. That of a run is the list of its arguments.
const ATOMS: &str = "atoms";
/// Characters of a hash that make a checksum.
const CHECKSUM: usize = 8;

/// Known runs, and the file for new ones.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// The length of the complete records.
    length: u64,
    known: HashMap<Vec<u8>, Run>,
    /// The atoms whose order mattered in the runs, in their order.
    atoms: Vec<Atom>,
}

impl Journal {
    /// Opens the journal of a folder, or creates one. `key` identifies the search.
    pub(crate) fn open(folder: &Path, key: &str, resume: bool) -> Result<Self, Failure> {
        fs::create_dir_all(folder).map_err(|error| Failure::io("create", folder, &error))?;
        let path = folder.join(FILE);
        let unreadable = |error| Failure::io("read", &path, &error);
        // A pipe would wait for a reader.
        plain_file::is_there(&path).map_err(unreadable)?;
        let mut file = open_alone(folder, &path)?;
        let bytes = read_file(&path).map_err(unreadable)?.unwrap_or_default();
        if !bytes.is_empty() && !resume {
            let title = format!("{} already has a search", folder.display());
            return Err(Diagnostic::error("state-exists", title)
                .help("add --resume to continue it, or name another folder")
                .into());
        }
        let header = format!("{MAGIC} {key}\n");
        let begins = bytes.starts_with(header.as_bytes());
        // A tool that was killed early may have left a part of the header.
        if !begins && !header.as_bytes().starts_with(&bytes) {
            let title = format!("{} has the state of another search", folder.display());
            return Err(Diagnostic::error("state-mismatch", title)
                .help("the program, the entry, the limits of runs or the OTP release have changed")
                .help("drop --resume and name another folder")
                .into());
        }
        let Records {
            mut known,
            atoms,
            length,
        } = if begins {
            read_records(&bytes, header.len())
        } else {
            Records::default()
        };
        // Another program may have killed the worker, so try again.
        known.retain(|_, run| run.outcome != Outcome::WorkerDied);
        let unwritable = |error| Failure::io("write", &path, &error);
        file.set_len(length as u64).map_err(unwritable)?;
        file.seek(SeekFrom::End(0)).map_err(unwritable)?;
        let mut journal = Self {
            path,
            file,
            length: length as u64,
            known,
            atoms,
        };
        if !begins {
            journal.append(header.as_bytes())?;
        }
        Ok(journal)
    }

    /// A run that is known.
    pub(crate) fn run(&self, arguments: &Term, schedule: &Schedule) -> Option<Run> {
        let key = run_key(arguments, &schedule.to_string());
        self.known.get(&key).cloned()
    }

    /// Whether there is a known run.
    pub(crate) fn knows(&self, arguments: &Term, schedule: &Schedule) -> bool {
        !self.known.is_empty()
            && self
                .known
                .contains_key(&run_key(arguments, &schedule.to_string()))
    }

    /// The atoms whose order mattered in the known runs, in their order.
    pub(crate) fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// Saves a run.
    pub(crate) fn keep(
        &mut self,
        arguments: &Term,
        schedule: &Schedule,
        run: &Run,
    ) -> Result<(), Failure> {
        let mut record = vec![arguments.clone(), to_term(run)];
        if schedule != Schedule::run_on() {
            record.push(Term::binary(schedule.to_string().into_bytes()));
        }
        self.append_record(record)
    }

    /// Saves the order of the atoms that matter, if there are more than before.
    pub(crate) fn keep_atoms(&mut self, atoms: Vec<Atom>) -> Result<(), Failure> {
        if atoms.len() > self.atoms.len() {
            let list = Term::list(atoms.iter().cloned().map(Term::Atom));
            self.append_record(vec![Term::atom(ATOMS), list])?;
            self.atoms = atoms;
        }
        Ok(())
    }

    fn append_record(&mut self, contents: Vec<Term>) -> Result<(), Failure> {
        let payload = encode(&Term::Tuple(contents));
        let mut record = u32::try_from(payload.len())
            .unwrap_or(u32::MAX)
            .to_le_bytes()
            .to_vec();
        record.extend_from_slice(checksum(&payload).as_bytes());
        record.extend_from_slice(&payload);
        self.append(&record)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.length += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // A record after an incomplete one would be lost. If the incomplete record cannot
                // be removed now, it is cut off when the file is opened.
                let _ = self.file.set_len(self.length);
                let _ = self.file.seek(SeekFrom::Start(self.length));
                Err(Failure::io("write", &self.path, &error))
            }
        }
    }
}

/// The folder name of a function, given as `m:f/1`. Atoms may have characters that names of folders
/// must not have. Different functions have different folders.
pub(crate) fn folder_name(entry: &str) -> String {
    let mut name = String::new();
    for byte in entry.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') {
            name.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(name, "%{byte:02x}");
        }
    }
    short_name(name)
}

/// The contents of a journal.
#[derive(Debug)]
pub(crate) struct KeptRuns {
    /// Identifies the search.
    pub(crate) key: String,
    /// Arguments and runs, in the order in which they were saved.
    pub(crate) runs: Vec<(Term, KeptRun)>,
    /// The atoms whose order mattered, in their order.
    pub(crate) atoms: Vec<Atom>,
}

/// What `replay` needs of a run.
#[derive(Debug, PartialEq)]
pub(crate) struct KeptRun {
    pub(crate) outcome: Outcome,
    /// Which process took its steps when, if there were several.
    pub(crate) schedule: Schedule,
}

impl KeptRun {
    fn new(run: Run) -> Self {
        let is_alone = run.gate.processes.len() < 2;
        let schedule = (!is_alone).then(|| run.gate.schedule());
        let end = RunEnd {
            of_entry: run.outcome,
            processes: run.gate.processes.into(),
        };
        Self {
            outcome: end.into_outcome(),
            schedule: schedule.unwrap_or_default(),
        }
    }
}

/// Reads the journal of a folder without changing it; `None` if there is none.
pub(crate) fn read_journal(folder: &Path) -> Result<Option<KeptRuns>, Failure> {
    let path = folder.join(FILE);
    let bytes = read_file(&path).map_err(|error| Failure::io("read", &path, &error))?;
    Ok(bytes.and_then(|bytes| kept_runs(&bytes)))
}

/// The contents of a journal up to the first record that cannot be read; `None` if the bytes are not a
/// journal.
pub(crate) fn kept_runs(bytes: &[u8]) -> Option<KeptRuns> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let header = std::str::from_utf8(bytes.get(..end)?).ok()?;
    let key = header.strip_prefix(MAGIC)?.strip_prefix(' ')?.to_owned();
    let mut rest = bytes.get(end + 1..).unwrap_or_default();
    let mut runs: Vec<(Term, KeptRun)> = Vec::new();
    let mut died: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut atoms = Vec::new();
    while let Some(record) = read_record(&mut rest) {
        let (key, arguments, run) = match record {
            Record::Run(key, arguments, run) => (key, arguments, run),
            Record::Atoms(more) => {
                atoms = more;
                continue;
            }
        };
        // A resumed search tries a run again if its worker died.
        let earlier = died.get(&key).and_then(|it| runs.get_mut(*it));
        if let Some((_, earlier)) = earlier {
            *earlier = KeptRun::new(*run);
        } else {
            if run.outcome == Outcome::WorkerDied {
                died.insert(key, runs.len());
            }
            runs.push((arguments, KeptRun::new(*run)));
        }
    }
    Some(KeptRuns { key, runs, atoms })
}

/// The bytes of a file; `None` if it does not exist.
fn read_file(path: &Path) -> io::Result<Option<Vec<u8>>> {
    if plain_file::is_there(path)? {
        fs::read(path).map(Some)
    } else {
        Ok(None)
    }
}

/// Opens the file of a folder for writing, and locks it.
fn open_alone(folder: &Path, path: &Path) -> Result<File, Failure> {
    let options = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path);
    let file = options.map_err(|error| Failure::io("write", path, &error))?;
    // On file systems without locks, go on without. The lock ends with the process.
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => {
            let title = format!("{} is in use by another search", folder.display());
            Err(Diagnostic::error("state-in-use", title)
                .help("wait for it to end, or name another folder")
                .into())
        }
        Ok(()) | Err(_) => Ok(file),
    }
}

fn checksum(payload: &[u8]) -> String {
    hash([payload]).chars().take(CHECKSUM).collect()
}

/// The complete records of a file.
#[derive(Default)]
struct Records {
    /// The runs, by what identifies them.
    known: HashMap<Vec<u8>, Run>,
    atoms: Vec<Atom>,
    /// The length of the records.
    length: usize,
}

fn read_records(bytes: &[u8], start: usize) -> Records {
    let mut records = Records {
        length: start,
        ..Records::default()
    };
    let mut rest = bytes.get(start..).unwrap_or_default();
    while let Some(record) = read_record(&mut rest) {
        match record {
            Record::Run(key, _, run) => {
                records.known.insert(key, *run);
            }
            Record::Atoms(atoms) => records.atoms = atoms,
        }
        records.length = bytes.len() - rest.len();
    }
    records
}

/// A record of a journal.
enum Record {
    /// What identifies a run, its arguments, and the run.
    Run(Vec<u8>, Term, Box<Run>),
    /// The atoms whose order matters so far.
    Atoms(Vec<Atom>),
}

fn read_record(rest: &mut &[u8]) -> Option<Record> {
    let mut length = [0; 4];
    rest.read_exact(&mut length).ok()?;
    let mut known_sum = [0; CHECKSUM];
    rest.read_exact(&mut known_sum).ok()?;
    let length = u32::from_le_bytes(length) as usize;
    let (payload, after) = rest.split_at_checked(length)?;
    if checksum(payload).as_bytes() != known_sum {
        return None;
    }
    *rest = after;
    let term = decode(payload).ok()?;
    let (arguments, run, schedule) = match term.as_tuple()? {
        [arguments, run] => (arguments, run, String::new()),
        [arguments, run, schedule] => (arguments, run, text(schedule)?),
        _ => return None,
    };
    if arguments.as_atom() == Some(ATOMS) {
        let atoms = run.as_list()?.iter();
        let atoms = atoms.map(|it| it.as_atom().map(Atom::new));
        return Some(Record::Atoms(atoms.collect::<Option<_>>()?));
    }
    let key = run_key(arguments, &schedule);
    let run = Box::new(from_term(run)?);
    Some(Record::Run(key, arguments.clone(), run))
}

/// What identifies a run: its arguments, and its schedule.
fn run_key(arguments: &Term, schedule: &str) -> Vec<u8> {
    let mut key = encode(arguments);
    key.extend_from_slice(schedule.as_bytes());
    key
}

#[cfg(test)]
mod tests {
    use reports::{ProcessEnd, RunProcess, Waiting};
    use trace_format::{ProcessPath, TakenLease};

    use crate::beam::GateReport;
    use crate::beam::worker::StackEntry;

    use super::*;

    fn kept_run(outcome: Outcome) -> KeptRun {
        KeptRun {
            outcome,
            schedule: Schedule::default(),
        }
    }

    fn report(stack: &[StackEntry]) -> GateReport {
        let raised = ProcessEnd::Raised {
            class: "error".to_owned(),
            reason: "badarith".to_owned(),
            stack: stack.to_vec(),
        };
        let ends = [ProcessEnd::Normal, raised, ProcessEnd::Waiting];
        let processes = ends.into_iter().enumerate().map(|(index, end)| RunProcess {
            index,
            path: ProcessPath::ENTRY.child(7),
            entry: "m:f/1".to_owned(),
            is_own: false,
            end,
        });
        GateReport {
            leases: vec![TakenLease::Steps(0, 3), TakenLease::Deliveries(2, 0, 200)],
            processes: processes.collect(),
            is_followed: false,
            uncontrolled: vec!["erlang:send_after/3".to_owned()],
        }
    }

    fn runs() -> Vec<(Term, Run)> {
        let stack = vec![StackEntry {
            function: "m:f/1".to_owned(),
            file: "m.erl".to_owned(),
            line: 7,
            is_own: false,
        }];
        let exception = Outcome::Exception {
            class: "error".to_owned(),
            reason: "{badmatch,\"ü\"}".to_owned(),
            stack: stack.clone(),
        };
        let waiting = vec![Waiting {
            process: "0.1".to_owned(),
            stack: stack.clone(),
        }];
        let gate = report(&stack);
        let outcomes = [
            Outcome::Ok("[a]".to_owned()),
            exception,
            Outcome::Timeout,
            Outcome::Killed,
            Outcome::WorkerDied,
            Outcome::Blocked("file:delete/1".to_owned()),
            Outcome::Deadlock { waiting },
            Outcome::Steps,
        ];
        let runs = outcomes.into_iter().enumerate();
        runs.map(|(number, outcome)| {
            let run = Run {
                outcome,
                logs: vec![vec![1, 2, 3], Vec::new()],
                output: "hello\n".to_owned(),
                gate: gate.clone(),
                exits: Vec::new(),
            };
            let number = i64::try_from(number).expect("a small number");
            (Term::list([Term::Integer(number.into())]), run)
        })
        .collect()
    }

    #[test]
    fn complete_records_are_read_wherever_a_file_is_cut() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut runs = runs();
        runs.retain(|(_, run)| run.outcome != Outcome::WorkerDied);
        let mut journal = Journal::open(folder.path(), "key", false).expect("it is new");
        for (arguments, run) in &runs {
            let kept = journal.keep(arguments, Schedule::run_on(), run);
            kept.expect("it can be written");
        }
        drop(journal);
        let path = folder.path().join(FILE);
        let whole = fs::read(&path).expect("it is there");
        for length in (0..=whole.len()).rev() {
            fs::write(&path, &whole[..length]).expect("it can be written");
            let journal = Journal::open(folder.path(), "key", true).expect("a cut file is fine");
            let known = runs.iter().filter(|(arguments, run)| {
                let found = journal.run(arguments, Schedule::run_on());
                found.is_some_and(|found| {
                    found.outcome == run.outcome
                        && found.logs == run.logs
                        && found.output == run.output
                        && found.gate == run.gate
                })
            });
            assert_eq!(known.count(), journal.known.len());
            if length == whole.len() {
                assert_eq!(journal.known.len(), runs.len());
            }
        }
    }

    #[test]
    fn the_order_of_atoms_is_kept_when_it_grows() {
        let folder = tempfile::tempdir().expect("a folder");
        let atoms = |texts: &[&str]| texts.iter().map(Atom::new).collect::<Vec<Atom>>();
        let mut journal = Journal::open(folder.path(), "key", false).expect("it is new");
        for (arguments, run) in runs() {
            let kept = journal.keep(&arguments, Schedule::run_on(), &run);
            kept.expect("it can be written");
            for texts in [&["z", "a"][..], &["z", "m", "a"], &["z", "m", "a"]] {
                journal.keep_atoms(atoms(texts)).expect("it can be written");
            }
        }
        drop(journal);
        let journal = Journal::open(folder.path(), "key", true).expect("it is there");
        assert_eq!(journal.atoms(), atoms(&["z", "m", "a"]));
        assert_eq!(journal.known.len(), runs().len() - 1);
        let kept = read_journal(folder.path()).expect("it can be read");
        let kept = kept.expect("it is there");
        assert_eq!((kept.runs.len(), kept.atoms.len()), (runs().len(), 3));
    }

    #[test]
    fn a_journal_of_another_search_is_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        Journal::open(folder.path(), "key", false).expect("it is new");
        Journal::open(folder.path(), "key", false).expect_err("it has a search");
        Journal::open(folder.path(), "other", true).expect_err("it has another search");
        Journal::open(folder.path(), "key", true).expect("it is the same search");
    }

    #[test]
    fn a_run_whose_worker_died_is_tried_again_and_listed_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let arguments = Term::list([Term::Integer(7.into())]);
        let ending = |outcome| Run {
            outcome,
            logs: Vec::new(),
            output: String::new(),
            gate: GateReport::default(),
            exits: Vec::new(),
        };
        let run_on = Schedule::run_on();
        let mut journal = Journal::open(folder.path(), "key", false).expect("it is new");
        let died = ending(Outcome::WorkerDied);
        let written = journal.keep(&arguments, run_on, &died);
        written.expect("it can be written");
        let kept = || read_journal(folder.path()).expect("it can be read");
        let runs = kept().expect("it is there").runs;
        assert_eq!(runs, [(arguments.clone(), kept_run(Outcome::WorkerDied))]);
        drop(journal);
        let mut journal = Journal::open(folder.path(), "key", true).expect("it is there");
        assert!(journal.run(&arguments, run_on).is_none());
        let fine = Outcome::Ok("7".to_owned());
        let again = ending(fine.clone());
        let written = journal.keep(&arguments, run_on, &again);
        written.expect("it can be written");
        let runs = kept().expect("it is there").runs;
        assert_eq!(runs, [(arguments.clone(), kept_run(fine))]);
    }

    #[test]
    fn runs_with_other_schedules_are_other_runs() {
        let folder = tempfile::tempdir().expect("a folder");
        let arguments = Term::list([]);
        let schedule = |text: &str| text.parse::<Schedule>().expect("it is a schedule");
        let mut journal = Journal::open(folder.path(), "key", false).expect("it is new");
        for (text, (_, run)) in ["", "0*2,0.1", "0.1"].into_iter().zip(runs()) {
            let kept = journal.keep(&arguments, &schedule(text), &run);
            kept.expect("it can be written");
        }
        drop(journal);
        let journal = Journal::open(folder.path(), "key", true).expect("it is there");
        for (text, (_, run)) in ["", "0*2,0.1", "0.1"].into_iter().zip(runs()) {
            let found = journal.run(&arguments, &schedule(text));
            assert_eq!(found.map(|it| it.outcome), Some(run.outcome));
        }
        assert!(journal.run(&arguments, &schedule("0")).is_none());
    }

    #[test]
    fn a_record_that_could_not_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = Journal::open(folder.path(), "key", false).expect("it is new");
        let runs = runs();
        let (arguments, run) = runs.first().expect("there are some");
        let kept = journal.keep(arguments, Schedule::run_on(), run);
        kept.expect("it can be written");
        let path = folder.path().join(FILE);
        let whole = fs::read(&path).expect("it is there");
        let writable = std::mem::replace(&mut journal.file, File::open(&path).expect("it is"));
        journal.append(b"half").expect_err("it is open for reading");
        journal.file = writable;
        let kept = journal.keep(arguments, Schedule::run_on(), run);
        kept.expect("it can be written");
        let record = whole.len() - whole.iter().position(|it| *it == b'\n').expect("a line") - 1;
        assert_eq!(
            fs::read(&path).expect("it is there").len(),
            whole.len() + record
        );
    }

    fn code(failure: &Failure) -> &'static str {
        failure.0.first().expect("there is a message").code
    }

    #[test]
    fn different_functions_have_different_folders() {
        let long = format!("m:{}/1", "é".repeat(255));
        let entries = [
            "m:'a 0'/1",
            "m:'a\u{200}'/1",
            "m:f/1",
            "m:f/11",
            &long,
            &long[1..],
        ];
        let mut names = entries.map(folder_name);
        assert!(names.iter().all(|name| name.len() <= 255));
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn a_folder_is_for_one_search_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = Journal::open(folder.path(), "key", false).expect("it is new");
        let second = Journal::open(folder.path(), "key", true).expect_err("it is in use");
        assert_eq!(code(&second), "state-in-use");
        drop(journal);
        Journal::open(folder.path(), "key", true).expect("it is free again");
    }

    #[test]
    fn special_files_are_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        let refused = || {
            let opened = Journal::open(folder.path(), "key", true).expect_err("it is not a file");
            assert_eq!(code(&opened), "io");
            let read = read_journal(folder.path()).expect_err("it is not a file");
            assert_eq!(code(&read), "io");
        };
        std::os::unix::fs::symlink("/dev/zero", &path).expect("a link can be made");
        refused();
        fs::remove_file(&path).expect("it is there");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0)
            .expect("a pipe can be made");
        refused();
        fs::remove_file(&path).expect("it is there");
        fs::create_dir(&path).expect("a folder can be made");
        refused();
    }
}
