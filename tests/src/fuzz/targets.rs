//! The readers that get damaged input, and what must hold of their results.

use std::sync::OnceLock;

use erlang_term::{Atom, encode, from_wire, to_wire};
use flattener::flat::{TailForm, to_ast};
use flattener::passes::verify;
use flattener::{Detail, flatten, parse_module, print_module};
use solver::ReleaseRules;
use trace_format::manifest::{Manifest, hash};
use trace_format::{LogFile, Notation, Program, RunLog, Wire, decode, encode_number};

use crate::random_programs::Random;

/// Events that are read in one log.
const EVENTS: usize = 5_000;

/// Values in external term format that a run may have returned or raised.
const VALUES: [&[u8]; 6] = [
    &[131, 97, 7],
    &[131, 106],
    &[131, 119, 2, b'o', b'k'],
    &[131, 104, 2, 97, 1, 106],
    &[131, 108, 0, 0, 0, 1, 97, 1, 97, 2],
    &[131, 109, 0, 0, 0, 2, 0xff, 0],
];

/// A reader.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// Its name, which is that of the folder of its corpus.
    pub name: &'static str,
    /// Reads something.
    ///
    /// # Panics
    /// When the result is wrong.
    pub read: fn(&[u8]),
    /// Makes damaged input more like real input, so that it gets further.
    pub mend: fn(&mut Random, Vec<u8>) -> Vec<u8>,
    /// How many bytes of memory it may take for each byte that it reads.
    pub memory: usize,
}

/// All of them.
pub const TARGETS: [FuzzTarget; 6] = [
    FuzzTarget {
        name: "core",
        read: read_core,
        mend: leave,
        memory: 4_000,
    },
    FuzzTarget {
        name: "log",
        read: read_log,
        mend: go_on,
        memory: 4_000,
    },
    FuzzTarget {
        name: "term",
        read: read_term,
        mend: leave,
        memory: 400,
    },
    FuzzTarget {
        name: "state",
        read: read_state,
        mend: sign,
        memory: 400,
    },
    FuzzTarget {
        name: "report",
        read: read_report,
        mend: leave,
        memory: 400,
    },
    FuzzTarget {
        name: "manifest",
        read: read_manifest,
        mend: leave,
        memory: 400,
    },
];

fn leave(_: &mut Random, bytes: Vec<u8>) -> Vec<u8> {
    bytes
}

/// The parser, all passes, and the printer.
fn read_core(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let module = match parse_module(&text) {
        Ok(module) => module,
        Err(error) => return drop(error.diagnostic("m.core", &text)),
    };
    let printed = print_module(&module, Detail::Full);
    assert_eq!(parse_module(&printed).as_ref(), Ok(&module), "{printed}");
    match flatten(module) {
        Ok(flat) => {
            assert_eq!(verify::flat(&flat), Vec::<String>::new());
            assert_eq!(verify::numbered(&flat), Vec::<String>::new());
            let printed = print_module(&to_ast(&flat, TailForm::Bound), Detail::Full);
            let again = parse_module(&printed).expect("printed text can be parsed");
            flatten(again).expect("a flat program is a program");
        }
        Err(errors) => errors.into_iter().for_each(|error| {
            drop(error.diagnostic("m.core", &text));
        }),
    }
}

/// Programs whose logs are read.
fn programs() -> &'static [Program] {
    static PROGRAMS: OnceLock<Vec<Program>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let texts = [
            include_str!("../../../samples/paper/figure5.core"),
            include_str!("../../../flattener/tests/real/shop.core"),
            include_str!("../../../flattener/tests/real/mailbox.core"),
            include_str!("../../../flattener/tests/real/frames_annotated.core"),
        ];
        let program = |text| {
            let module = parse_module(text).expect("the text is a module");
            let flat = flatten(module).expect("the module is a program");
            let name = Atom::new(flat.name.as_str());
            Program::new([(flat, name)])
        };
        texts.into_iter().map(program).collect()
    })
}

/// A file, or else the program, the function, what it logs, and the bytes of a log: decoded,
/// printed and replayed.
fn read_log(bytes: &[u8]) {
    if let Ok(file) = LogFile::decode(bytes) {
        assert_eq!(LogFile::decode(&file.encode()), Ok(file));
    }
    let Some(log) = run_log(bytes) else {
        return;
    };
    let Ok(decoded) = decode(&log) else {
        // A log that does not fit is refused.
        assert!(
            log.entry.is_none()
                || trace_engine::replay(&log, &ReleaseRules::default(), &[]).is_err()
        );
        return;
    };
    let notation = Notation::new(log.program);
    for event in &decoded.events {
        notation.event(event);
    }
    // It only matters that it ends.
    drop(trace_engine::replay(&log, &ReleaseRules::default(), &[]));
}

/// A log of one of the programs.
fn run_log(bytes: &[u8]) -> Option<RunLog<'_>> {
    let (&[program, function, wire], log) = bytes.split_first_chunk()?;
    let program = programs().get(usize::from(program) % programs().len())?;
    let wire = if wire % 2 == 0 {
        Wire::Lean
    } else {
        Wire::Full
    };
    // Another process than the first has no known function at its bottom.
    let entry = (function < 0xf0).then_some((0, usize::from(function)));
    Some(RunLog {
        program,
        wire,
        bytes: log,
        entry,
        limit: EVENTS,
    })
}

/// Cuts a log where it no longer fits its program, mostly, and adds items that do.
fn go_on(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    let fits = |bytes: &[u8]| run_log(bytes).is_some_and(|log| decode(&log).is_ok());
    if random.chance(20) {
        return bytes;
    }
    bytes.truncate(40);
    while bytes.len() > 3 && !fits(&bytes) {
        bytes.pop();
    }
    for _ in 0..200 {
        let length = bytes.len();
        let number = u32::try_from(random.below(100)).expect("it is small");
        bytes.extend(encode_number(number));
        if random.chance(40) {
            let value = random.pick(&VALUES);
            bytes.push(u8::try_from(value.len()).expect("it is short"));
            bytes.extend(*value);
        }
        if !fits(&bytes) {
            bytes.truncate(length);
        }
    }
    bytes
}

/// The external term format.
fn read_term(bytes: &[u8]) {
    let Ok(term) = erlang_term::decode(bytes) else {
        return;
    };
    assert_eq!(erlang_term::decode(&encode(&term)).as_ref(), Ok(&term));
    drop(term.to_string());
    assert_eq!(from_wire(&to_wire(&term)), Some(term));
}

/// The journal of a state folder.
fn read_state(bytes: &[u8]) {
    erlconcolic::readers::runs_in_journal(bytes);
}

/// Writes the checksums that the records of a journal should have, mostly.
fn sign(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    let header = bytes.iter().position(|byte| *byte == b'\n');
    let (Some(end), true) = (header, random.chance(80)) else {
        return bytes;
    };
    let mut at = end + 1;
    while let Some((length, rest)) = bytes.get(at..).and_then(<[u8]>::split_first_chunk::<4>) {
        let length = (u32::from_le_bytes(*length) as usize).min(rest.len().saturating_sub(8));
        let Some(payload) = rest.get(8..8 + length) else {
            break;
        };
        let sum = hash([payload]);
        let field = u32::try_from(length).expect("it is short").to_le_bytes();
        let head = field.iter().chain(sum.as_bytes().iter().take(8)).copied();
        bytes.splice(at..at + 12, head);
        at += 12 + length;
    }
    bytes
}

/// The JSON report of a search.
fn read_report(bytes: &[u8]) {
    drop(erlconcolic::readers::runs_in_report(bytes));
}

/// The manifest of a build.
fn read_manifest(bytes: &[u8]) {
    if let Ok(manifest) = serde_json::from_slice::<Manifest>(bytes) {
        let again = serde_json::to_vec(&manifest).expect("a manifest has only text keys");
        let again = serde_json::from_slice::<Manifest>(&again).expect("it was written just now");
        assert_eq!(again, manifest);
    }
}
