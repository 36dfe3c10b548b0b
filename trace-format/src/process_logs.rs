//! The logs of all processes of a run.

/// What each process of a run logged. The process of the entry function comes first, the others in
/// the order in which they began their logs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessLogs {
    logs: Vec<Vec<u8>>,
    leases: Vec<(usize, u32)>,
}

impl ProcessLogs {
    /// Logs of processes whose steps were controlled.
    pub fn with_leases(logs: Vec<Vec<u8>>, leases: Vec<(usize, u32)>) -> Self {
        Self { logs, leases }
    }

    /// The log of the process of the entry function; empty if it logged nothing.
    pub fn entry(&self) -> &[u8] {
        self.of(0)
    }

    /// The log of the process with this number; empty if it logged nothing.
    pub fn of(&self, process: usize) -> &[u8] {
        self.logs.get(process).map_or(&[], Vec::as_slice)
    }

    /// How many processes may have logged something.
    pub fn count(&self) -> usize {
        self.logs.len()
    }

    /// Whether several processes made their steps under control.
    pub fn are_interleaved(&self) -> bool {
        let has_others = self.count() > 1 || self.leases.iter().any(|lease| lease.0 > 0);
        has_others && !self.leases.is_empty()
    }

    /// The logs of the other processes that logged something.
    pub fn others(&self) -> impl Iterator<Item = &[u8]> {
        let others = self.logs.iter().skip(1);
        others.map(Vec::as_slice).filter(|log| !log.is_empty())
    }

    /// Which process made how many steps, in order. Without control there are none.
    pub fn leases(&self) -> &[(usize, u32)] {
        &self.leases
    }
}

impl From<Vec<Vec<u8>>> for ProcessLogs {
    fn from(logs: Vec<Vec<u8>>) -> Self {
        Self {
            logs,
            leases: Vec::new(),
        }
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

    #[test]
    fn logs_without_leases_have_none() {
        assert!(ProcessLogs::from(vec![vec![1]]).leases().is_empty());
        let logs = ProcessLogs::with_leases(vec![vec![1]], vec![(0, 2)]);
        assert_eq!(logs.leases(), [(0, 2)]);
    }
}
