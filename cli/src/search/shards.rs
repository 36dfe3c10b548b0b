//! Divides the functions that the user chose into shards.
//!
//! Each function goes to the shard that has the fewest clauses so far, those with the most clauses
//! first. So the same code is divided in the same way on each machine.

use std::cmp::Reverse;

use reports::{ReachableCode, Shards};

use crate::arguments::ShardNumber;
use crate::program::entry::Chosen;
use crate::program::target::Target;

/// Keeps the functions of a shard, and says what the shards are.
pub(crate) fn take_shard(target: &mut Target, shard: ShardNumber, ignore_specs: bool) -> Shards {
    let ShardNumber { number, of } = shard;
    let names = target.chosen.iter().map(|it| it.entry.to_string());
    let names: Vec<String> = names.collect();
    let shards = divided(&names, &weights(target, ignore_specs), of);
    let mut own = shards.iter().map(|it| it + 1 == number);
    target.chosen.retain(|_| own.next() == Some(true));
    Shards {
        of,
        here: vec![number],
        functions: names,
    }
}

/// How many clauses each function may reach; none if it is not searched.
fn weights(target: &Target, ignore_specs: bool) -> Vec<usize> {
    let code = target.explored_code();
    let reachable = ReachableCode::new(&code);
    let weight = |Chosen { entry, is_named }: &Chosen| {
        let is_searched = *is_named || ignore_specs || target.spec(entry).is_some();
        if is_searched {
            1 + reachable.clauses_below(&code, entry)
        } else {
            0
        }
    };
    target.chosen.iter().map(weight).collect()
}

/// The shard of each function, from 0, given their names and weights.
fn divided(names: &[String], weights: &[usize], shards: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    let weight = |function: usize| weights.get(function).copied().unwrap_or(0);
    order.sort_by_key(|it| (Reverse(weight(*it)), names.get(*it)));
    // More shards than functions stay empty.
    let mut loads = vec![(0, 0); shards.min(names.len()).max(1)];
    let mut places = vec![0; names.len()];
    for function in order {
        let lightest = (0..loads.len()).min_by_key(|it| loads.get(*it).copied());
        let shard = lightest.unwrap_or(0);
        if let (Some(load), Some(place)) = (loads.get_mut(shard), places.get_mut(function)) {
            *load = (load.0 + weight(function), load.1 + 1);
            *place = shard;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shards(functions: &[(&str, usize)], count: usize) -> Vec<usize> {
        let names: Vec<String> = functions.iter().map(|it| it.0.to_owned()).collect();
        let weights: Vec<usize> = functions.iter().map(|it| it.1).collect();
        divided(&names, &weights, count)
    }

    #[test]
    fn the_largest_functions_come_first() {
        let functions = [("a", 1), ("b", 7), ("c", 3), ("d", 3), ("e", 1)];
        assert_eq!(shards(&functions, 1), [0; 5]);
        assert_eq!(shards(&functions, 2), [1, 0, 1, 1, 0]);
        assert_eq!(shards(&functions, 9), [3, 0, 1, 2, 4]);
        assert!(shards(&[], 3).is_empty());
    }

    #[test]
    fn names_decide_between_functions_of_one_size() {
        assert_eq!(shards(&[("b", 2), ("a", 2), ("c", 2)], 3), [1, 0, 2]);
    }

    #[test]
    fn functions_without_clauses_are_divided_too() {
        assert_eq!(
            shards(&[("a", 0), ("b", 0), ("c", 0), ("d", 0)], 2),
            [0, 1, 0, 1]
        );
    }
}
