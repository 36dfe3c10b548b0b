//! The strategies. A new one is a file that declares its [`Strategy`], and a place in
//! [`Strategy::ALL`].

mod breadth_first;
mod clause_turns;
mod coverage;
mod depth_first;
mod graph;
mod ground;
mod random;
mod strategy;

pub(super) use ground::Ground;
pub(super) use strategy::Queue;
pub use strategy::Strategy;

impl Strategy {
    /// All strategies; the first is the default.
    pub const ALL: &[Self] = &[
        coverage::STRATEGY,
        depth_first::STRATEGY,
        breadth_first::STRATEGY,
        random::STRATEGY,
        graph::STRATEGY,
    ];

    /// The strategy with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }
}

impl Default for Strategy {
    fn default() -> Self {
        coverage::STRATEGY
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::super::arguments::Arguments;
    use super::super::candidate::Candidate;
    use super::{Ground, Strategy};
    use trace_format::Program;

    /// The order in which a strategy runs six seed inputs.
    fn order(strategy: Strategy) -> Vec<usize> {
        let program = Program::default();
        let mut queue = strategy.queue(&Ground::new(&program, &[], 7), (0, 0));
        for number in 0..6 {
            queue.push(Candidate {
                arguments: Arguments::new(&[]),
                parent: Some(number),
                target: None,
                order: None,
                is_exchanged: false,
            });
        }
        assert_eq!(queue.len(), 6);
        let next = std::iter::from_fn(|| queue.pop(&HashSet::new()));
        next.filter_map(|it| it.parent).collect()
    }

    #[test]
    fn every_strategy_runs_each_input_once() {
        for strategy in Strategy::ALL {
            let all: BTreeSet<usize> = order(*strategy).into_iter().collect();
            assert_eq!(all, (0..6).collect(), "{strategy}");
        }
    }

    #[test]
    fn strategies_have_names_and_orders_of_their_own() {
        let named = |name| order(Strategy::named(name).expect("it is declared"));
        assert_eq!(named("coverage"), [0, 1, 2, 3, 4, 5]);
        assert_eq!(named("dfs"), [5, 4, 3, 2, 1, 0]);
        assert_eq!(named("bfs"), [0, 1, 2, 3, 4, 5]);
        assert_eq!(named("random"), named("random"));
        assert_eq!(named("graph"), [0, 1, 2, 3, 4, 5]);
        assert_eq!(Strategy::named("best"), None);
    }
}
