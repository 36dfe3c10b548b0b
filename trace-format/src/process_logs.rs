//! The logs of all processes of a run.

/// What each process of a run logged. The process of the entry function comes first, the others in
/// the order in which they began their logs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessLogs(Vec<Vec<u8>>);

impl ProcessLogs {
    /// The log of the process of the entry function; empty if it logged nothing.
    pub fn entry(&self) -> &[u8] {
        self.0.first().map_or(&[], Vec::as_slice)
    }

    /// The logs of the other processes that logged something.
    pub fn others(&self) -> impl Iterator<Item = &[u8]> {
        let others = self.0.iter().skip(1);
        others.map(Vec::as_slice).filter(|log| !log.is_empty())
    }
}

impl From<Vec<Vec<u8>>> for ProcessLogs {
    fn from(logs: Vec<Vec<u8>>) -> Self {
        Self(logs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_without_a_log_are_ignored() {
        let logs = ProcessLogs::from(vec![vec![1], Vec::new(), vec![2, 3]]);
        assert_eq!(logs.entry(), [1]);
        assert_eq!(logs.others().collect::<Vec<_>>(), [[2, 3]]);
        assert!(ProcessLogs::default().entry().is_empty());
    }
}
