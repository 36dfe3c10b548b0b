//! Vector clocks: which events happen before others.

/// For each event, how many events of each process happen before it or are it.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    /// The number of processes.
    width: usize,
    counts: Vec<u32>,
}

impl Clocks {
    /// No events, of this many processes.
    pub(super) fn new(width: usize) -> Self {
        Self {
            width,
            counts: Vec::new(),
        }
    }

    /// The clock of an event.
    pub(super) fn of(&self, event: usize) -> &[u32] {
        let start = event * self.width;
        self.counts
            .get(start..start + self.width)
            .unwrap_or_default()
    }

    /// A clock before all events.
    pub(super) fn zero(&self) -> Vec<u32> {
        vec![0; self.width]
    }

    /// Adds the clock of the next event.
    pub(super) fn push(&mut self, clock: &[u32]) {
        self.counts.extend(clock);
    }
}

/// Moves a clock forward to another one.
pub(super) fn join(clock: &mut [u32], other: &[u32]) {
    for (own, other) in clock.iter_mut().zip(other) {
        *own = (*own).max(*other);
    }
}

/// Whether a clock counts the event of a process that has this position there.
pub(super) fn covers(clock: &[u32], process: usize, position: u32) -> bool {
    clock.get(process).is_some_and(|count| *count > position)
}
