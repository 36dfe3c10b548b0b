//! Which decisions of other processes can stay as they were when one decision takes another way.

/// An answer to whether some decisions can stay.
pub(crate) enum Staying<A> {
    /// They can: an input that does it.
    Can(A),
    /// They cannot.
    Cannot,
    /// Nobody knows.
    Unknown,
}

/// A largest set of decisions that can stay.
#[derive(Debug)]
pub(crate) struct KeptSet<A> {
    /// The decisions that do not stay. What happens after them does not either.
    pub(crate) dropped: Vec<usize>,
    /// An input.
    pub(crate) answer: A,
}

/// Decisions that are independent of one that takes another way.
pub(crate) struct Independent<'run, A> {
    /// In the order of the run.
    pub(crate) decisions: &'run [usize],
    /// Whether one happens before another.
    pub(crate) happens_before: &'run dyn Fn(usize, usize) -> bool,
    /// Whether these can stay together.
    pub(crate) ask: &'run mut dyn FnMut(&[usize]) -> Staying<A>,
}

/// All largest sets, this many at most, and whether these are all.
pub(crate) fn largest_sets<A>(
    mut independent: Independent<'_, A>,
    most: usize,
) -> (Vec<KeptSet<A>>, bool) {
    let mut sets: Vec<KeptSet<A>> = Vec::new();
    let mut is_all = true;
    let mut tried: Vec<Vec<usize>> = Vec::new();
    let mut open: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(forced) = open.pop() {
        if tried.contains(&forced) {
            continue;
        }
        if sets.len() == most {
            return (sets, false);
        }
        if let Some(set) = independent.grow(&forced, &mut is_all) {
            // Another largest set keeps one of those that this one drops.
            open.extend(set.dropped.iter().map(|it| independent.with(&forced, *it)));
            if sets.iter().all(|known| known.dropped != set.dropped) {
                sets.push(set);
            }
        }
        tried.push(forced);
    }
    (sets, is_all)
}

impl<A> Independent<'_, A> {
    /// A largest set that keeps these decisions; none if they cannot stay.
    fn grow(&mut self, forced: &[usize], is_all: &mut bool) -> Option<KeptSet<A>> {
        let mut answer = match (self.ask)(forced) {
            Staying::Can(answer) => answer,
            Staying::Cannot => return None,
            Staying::Unknown => {
                *is_all = false;
                return None;
            }
        };
        let mut kept = forced.to_vec();
        let mut dropped: Vec<usize> = Vec::new();
        for decision in self.decisions {
            let is_after = |it: &usize| (self.happens_before)(*it, *decision);
            if kept.contains(decision) || dropped.iter().any(is_after) {
                continue;
            }
            kept.push(*decision);
            match (self.ask)(&kept) {
                Staying::Can(better) => answer = better,
                Staying::Cannot => dropped.extend(kept.pop()),
                Staying::Unknown => {
                    *is_all = false;
                    dropped.extend(kept.pop());
                }
            }
        }
        Some(KeptSet { dropped, answer })
    }

    /// These decisions, another one, and all that happen before it.
    fn with(&self, forced: &[usize], decision: usize) -> Vec<usize> {
        let is_wanted = |it: &&usize| {
            forced.contains(*it) || **it == decision || (self.happens_before)(**it, decision)
        };
        self.decisions.iter().filter(is_wanted).copied().collect()
    }
}
