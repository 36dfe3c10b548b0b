//! The log of a run as a file: a header, then the bytes of its processes.
//!
//! ```text
//! erlconcolic log 1\n
//! {"program": "<hash>", "wire": "lean", "module": "m", …, "lengths": [120, 7], "leases": [[0, 3],
//! [1, 1], [1, 0, 1]], "hash": "<hash>"}\n
//! the bytes of process 0, of process 1, …
//! ```
//!
//! A lease of three numbers is of deliveries: sender, receiver, how many. A file without leases is of
//! a run whose processes were not controlled.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::manifest::{VERSION, hash};
use crate::numbering::Wire;
use crate::process_logs::{TakenLease, encode_leases};

const NAME: &str = "erlconcolic log ";

/// The log of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFile {
    /// The hash of the program, as in the manifest of its build.
    pub program: String,
    /// What the program logs.
    pub wire: Wire,
    /// The entry function: module, name and arity.
    pub entry: (String, String, u32),
    /// The logs of its processes.
    pub logs: Vec<Vec<u8>>,
    /// Who took steps when; empty if its processes were not controlled.
    pub leases: Vec<TakenLease>,
}

#[derive(Deserialize, Serialize)]
struct Header {
    program: String,
    wire: Wire,
    entry: (String, String, u32),
    lengths: Vec<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    leases: Vec<TakenLease>,
    hash: String,
}

/// Why a file is not the log of a run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LogFileError {
    /// Another kind of file.
    #[error("this is not a log")]
    NotALog,
    /// Made by another version of the tool.
    #[error("this log is of version {0}, this tool reads version {VERSION}")]
    Version(String),
    /// The end is missing.
    #[error("the log was cut short: {0} bytes are missing")]
    CutShort(usize),
    /// More bytes than the header says.
    #[error("the log has {0} bytes too many")]
    TooLong(usize),
    /// The bytes are not those that were written.
    #[error("the log was damaged: its bytes are not those that were written")]
    Damaged,
}

impl LogFile {
    /// The contents of the file.
    pub fn encode(&self) -> Vec<u8> {
        let header = Header {
            program: self.program.clone(),
            wire: self.wire,
            entry: self.entry.clone(),
            lengths: self.logs.iter().map(Vec::len).collect(),
            leases: self.leases.clone(),
            hash: hash_of(&self.logs, &self.leases),
        };
        let header = serde_json::to_string(&header).expect("a header has only text keys");
        let mut bytes = format!("{NAME}{VERSION}\n{header}\n").into_bytes();
        bytes.extend(self.logs.iter().flatten());
        bytes
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    /// When the bytes do not come from [`Self::encode`].
    pub fn decode(bytes: &[u8]) -> Result<Self, LogFileError> {
        let (name, rest) = line(bytes).ok_or(LogFileError::NotALog)?;
        let version = name.strip_prefix(NAME).ok_or(LogFileError::NotALog)?;
        if version != VERSION.to_string() {
            return Err(LogFileError::Version(version.to_owned()));
        }
        let (header, mut rest) = line(rest).ok_or(LogFileError::Damaged)?;
        let header: Header = serde_json::from_str(header).map_err(|_| LogFileError::Damaged)?;
        let wanted = header
            .lengths
            .iter()
            .try_fold(0_usize, |sum, length| sum.checked_add(*length));
        let wanted = wanted.ok_or(LogFileError::Damaged)?;
        if rest.len() < wanted {
            return Err(LogFileError::CutShort(wanted - rest.len()));
        }
        if rest.len() > wanted {
            return Err(LogFileError::TooLong(rest.len() - wanted));
        }
        let mut logs = Vec::with_capacity(header.lengths.len());
        for length in header.lengths {
            let (log, more) = rest.split_at(length);
            logs.push(log.to_vec());
            rest = more;
        }
        if hash_of(&logs, &header.leases) != header.hash {
            return Err(LogFileError::Damaged);
        }
        Ok(Self {
            program: header.program,
            wire: header.wire,
            entry: header.entry,
            logs,
            leases: header.leases,
        })
    }
}

/// The hash of what a run logged.
fn hash_of(logs: &[Vec<u8>], leases: &[TakenLease]) -> String {
    let leases = Some(encode_leases(leases)).filter(|it| !it.is_empty());
    hash(logs.iter().chain(&leases).map(Vec::as_slice))
}

/// The first line of some bytes, if it is text, and the rest.
fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (line, rest) = bytes.split_at(end);
    Some((std::str::from_utf8(line).ok()?, rest.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> LogFile {
        LogFile {
            program: "abc".to_owned(),
            wire: Wire::Lean,
            entry: ("m".to_owned(), "f".to_owned(), 1),
            logs: vec![vec![1, 2, 3], Vec::new(), vec![10; 40]],
            leases: vec![
                TakenLease::Steps(0, 2),
                TakenLease::Steps(2, 1),
                TakenLease::Deliveries(2, 0, 1),
            ],
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        assert_eq!(LogFile::decode(&file().encode()), Ok(file()));
    }

    #[test]
    fn a_file_without_leases_has_none() {
        let file = LogFile {
            leases: Vec::new(),
            ..file()
        };
        let bytes = file.encode();
        assert!(!String::from_utf8_lossy(&bytes).contains("leases"));
        assert_eq!(LogFile::decode(&bytes), Ok(file));
    }

    #[test]
    fn all_damage_is_detected() {
        let bytes = file().encode();
        for length in 0..bytes.len() {
            assert!(
                LogFile::decode(&bytes[..length]).is_err(),
                "cut at {length}"
            );
        }
        for at in bytes.len() - 43..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(
                LogFile::decode(&damaged),
                Err(LogFileError::Damaged),
                "byte {at}"
            );
        }
        let mut longer = bytes;
        longer.push(0);
        assert_eq!(LogFile::decode(&longer), Err(LogFileError::TooLong(1)));
        assert_eq!(LogFile::decode(b"\x7fELF"), Err(LogFileError::NotALog));
        assert_eq!(
            LogFile::decode(b"erlconcolic log 9\n"),
            Err(LogFileError::Version("9".to_owned()))
        );
    }
}
