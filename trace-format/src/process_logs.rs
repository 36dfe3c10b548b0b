//! The logs of all processes of a run.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::log::{LogReader, ReadError, encode_number};

/// Steps of one owner before another one took some. Processes have their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TakenLease {
    /// A process took so many steps.
    Steps(usize, u32),
    /// So many messages from one process to another one were delivered, the oldest first.
    Deliveries(usize, usize, u32),
}

impl TakenLease {
    /// How many steps it has.
    pub fn count(self) -> u32 {
        match self {
            Self::Steps(_, count) | Self::Deliveries(_, _, count) => count,
        }
    }

    /// The largest index of a process in it.
    pub fn last_process(self) -> usize {
        match self {
            Self::Steps(process, _) => process,
            Self::Deliveries(from, to, _) => from.max(to),
        }
    }
}

impl From<(usize, u32)> for TakenLease {
    fn from((process, count): (usize, u32)) -> Self {
        Self::Steps(process, count)
    }
}

/// What each process of a run logged, and who took steps when. The process of the entry function
/// comes first, the others in the order of their indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessLogs {
    logs: Vec<Vec<u8>>,
    leases: Vec<TakenLease>,
    /// Whether messages take their time, also if none was delivered.
    is_delivering: bool,
}

impl ProcessLogs {
    /// The logs and leases of a run whose processes were controlled.
    pub fn new(
        logs: Vec<Vec<u8>>,
        leases: impl IntoIterator<Item = impl Into<TakenLease>>,
    ) -> Self {
        Self {
            leases: leases.into_iter().map(Into::into).collect(),
            ..Self::from(logs)
        }
    }

    /// The same, of a run whose messages take their time, or not.
    #[must_use]
    pub fn delivering(self, is_delivering: bool) -> Self {
        Self {
            is_delivering,
            ..self
        }
    }

    /// The log of the process of the entry function; empty if it logged nothing.
    pub fn entry(&self) -> &[u8] {
        self.process(0)
    }

    /// The log of the process with this index; empty if it logged nothing.
    pub fn process(&self, index: usize) -> &[u8] {
        self.logs.get(index).map_or(&[], Vec::as_slice)
    }

    /// How many processes may have logged something.
    pub fn count(&self) -> usize {
        self.logs.len()
    }

    /// Whether several processes took their steps under control.
    pub fn are_interleaved(&self) -> bool {
        let has_others = self.count() > 1 || self.leases.iter().any(|it| it.last_process() > 0);
        has_others && !self.leases.is_empty()
    }

    /// The logs of the other processes that logged something.
    pub fn others(&self) -> impl Iterator<Item = &[u8]> {
        let others = self.logs.iter().skip(1);
        others.map(Vec::as_slice).filter(|log| !log.is_empty())
    }

    /// Who took how many steps, in order; empty if the processes were not controlled.
    pub fn leases(&self) -> &[TakenLease] {
        &self.leases
    }

    /// Whether the delivery of a message is a step of its own.
    pub fn has_deliveries(&self) -> bool {
        let is_delivery = |it: &TakenLease| matches!(it, TakenLease::Deliveries(..));
        self.is_delivering || self.leases.iter().any(is_delivery)
    }
}

impl From<Vec<Vec<u8>>> for ProcessLogs {
    fn from(logs: Vec<Vec<u8>>) -> Self {
        Self {
            logs,
            leases: Vec::new(),
            is_delivering: false,
        }
    }
}

/// Why bytes are not leases.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the leases of a run cannot be read: {0}")]
pub struct LeaseError(#[from] ReadError);

/// The bytes of leases: for each the index of the process and the number of steps. For deliveries,
/// the index of the sender, 0, the index of the receiver and the number of messages.
pub fn encode_leases(leases: &[TakenLease]) -> Vec<u8> {
    let index = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let mut numbers = Vec::with_capacity(2 * leases.len());
    for lease in leases {
        match *lease {
            TakenLease::Steps(process, count) => numbers.extend([index(process), count]),
            TakenLease::Deliveries(from, to, count) => {
                numbers.extend([index(from), 0, index(to), count]);
            }
        }
    }
    numbers.into_iter().flat_map(encode_number).collect()
}

/// Reads the bytes of leases.
///
/// # Errors
/// When they do not come from [`encode_leases`] or the runtime.
pub fn decode_leases(bytes: &[u8]) -> Result<Vec<TakenLease>, LeaseError> {
    let mut reader = LogReader::new(bytes);
    let mut leases = Vec::new();
    while !reader.is_at_end() {
        let index = reader.number()? as usize;
        let lease = match next_number(&mut reader)? {
            0 => {
                let to = next_number(&mut reader)? as usize;
                TakenLease::Deliveries(index, to, next_number(&mut reader)?)
            }
            count => TakenLease::Steps(index, count),
        };
        leases.push(lease);
    }
    Ok(leases)
}

/// A number inside of a lease.
fn next_number(reader: &mut LogReader<'_>) -> Result<u32, LeaseError> {
    if reader.is_at_end() {
        return Err(LeaseError(ReadError::CutShort));
    }
    Ok(reader.number()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_without_a_log_are_ignored() {
        let logs = ProcessLogs::from(vec![vec![1], Vec::new(), vec![2, 3]]);
        assert_eq!(logs.entry(), [1]);
        assert_eq!(logs.process(2), [2, 3]);
        assert_eq!(logs.others().collect::<Vec<_>>(), [[2, 3]]);
        assert!(ProcessLogs::default().entry().is_empty());
        assert!(logs.leases().is_empty());
    }

    #[test]
    fn leases_are_read_as_they_were_written() {
        let leases = vec![
            TakenLease::Steps(0, 3),
            TakenLease::Steps(130, 1),
            TakenLease::Deliveries(130, 0, 2),
            TakenLease::Steps(1, 70_000),
        ];
        let bytes = encode_leases(&leases);
        assert_eq!(bytes, [0, 3, 129, 2, 1, 129, 2, 0, 0, 2, 1, 132, 162, 112]);
        assert_eq!(decode_leases(&bytes), Ok(leases.clone()));
        let logs = ProcessLogs::new(Vec::new(), leases.clone());
        assert_eq!(logs.leases(), leases);
        assert!(logs.has_deliveries());
        assert_eq!(decode_leases(&[]), Ok(Vec::new()));
        for length in [1, 3, 4, 7, 8, 9, bytes.len() - 1] {
            assert!(decode_leases(&bytes[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn only_leases_of_several_processes_interleave() {
        let logs = |count, leases: &[(usize, u32)]| {
            ProcessLogs::new(vec![vec![1]; count], leases.to_vec())
        };
        assert!(!logs(2, &[]).are_interleaved());
        assert!(!logs(1, &[(0, 2)]).are_interleaved());
        assert!(logs(2, &[(0, 2)]).are_interleaved());
        assert!(logs(1, &[(0, 2), (1, 1)]).are_interleaved());
        assert!(!logs(2, &[(0, 2)]).has_deliveries());
        assert!(logs(2, &[]).delivering(true).has_deliveries());
    }
}
