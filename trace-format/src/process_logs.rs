//! The logs of all processes of a run.

use thiserror::Error;

use crate::log::{LogReader, ReadError, encode_number};

/// A process by its index, and how many steps it took before another one did.
pub type TakenLease = (usize, u32);

/// What each process of a run logged, and who took steps when. The process of the entry function
/// comes first, the others in the order of their indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessLogs {
    logs: Vec<Vec<u8>>,
    leases: Vec<TakenLease>,
}

impl ProcessLogs {
    /// The logs and leases of a run whose processes were controlled.
    pub fn new(logs: Vec<Vec<u8>>, leases: Vec<TakenLease>) -> Self {
        Self { logs, leases }
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
        let has_others = self.count() > 1 || self.leases.iter().any(|lease| lease.0 > 0);
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
}

impl From<Vec<Vec<u8>>> for ProcessLogs {
    fn from(logs: Vec<Vec<u8>>) -> Self {
        Self::new(logs, Vec::new())
    }
}

/// Why bytes are not leases.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the leases of a run cannot be read: {0}")]
pub struct LeaseError(#[from] ReadError);

/// The bytes of leases: for each the index of the process and the number of steps.
pub fn encode_leases(leases: &[TakenLease]) -> Vec<u8> {
    let index = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let numbers = leases.iter().flat_map(|it| [index(it.0), it.1]);
    numbers.flat_map(encode_number).collect()
}

/// Reads the bytes of leases.
///
/// # Errors
/// When they do not come from [`encode_leases`] or the runtime.
pub fn decode_leases(bytes: &[u8]) -> Result<Vec<TakenLease>, LeaseError> {
    let mut reader = LogReader::new(bytes);
    let mut leases = Vec::new();
    while !reader.is_at_end() {
        let index = reader.number()?;
        if reader.is_at_end() {
            return Err(LeaseError(ReadError::CutShort));
        }
        leases.push((index as usize, reader.number()?));
    }
    Ok(leases)
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
        let leases = vec![(0, 3), (130, 1), (1, 70_000)];
        let bytes = encode_leases(&leases);
        assert_eq!(decode_leases(&bytes), Ok(leases.clone()));
        assert_eq!(
            ProcessLogs::new(Vec::new(), leases.clone()).leases(),
            leases
        );
        assert_eq!(decode_leases(&[]), Ok(Vec::new()));
        for length in [1, 3, 4, bytes.len() - 1] {
            assert!(decode_leases(&bytes[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn only_leases_of_several_processes_interleave() {
        let logs = |count, leases| ProcessLogs::new(vec![vec![1]; count], leases);
        assert!(!logs(2, Vec::new()).are_interleaved());
        assert!(!logs(1, vec![(0, 2)]).are_interleaved());
        assert!(logs(2, vec![(0, 2)]).are_interleaved());
        assert!(logs(1, vec![(0, 2), (1, 1)]).are_interleaved());
    }
}
