//! Running a search.

pub(crate) mod confirmation;
pub(crate) mod depth;
pub(crate) mod executor;
pub(crate) mod interruption;
pub(crate) mod journal;
pub(crate) mod progress;
pub(crate) mod subjects;
pub(crate) mod test_file;

/// The most memory that this process had so far, in kilobytes, as Linux tells it.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
