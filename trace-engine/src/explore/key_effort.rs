//! Where keys of states are worth their work.
//!
//! Each key is some work, and pays if its state is known. A site whose keys did not pay for a while
//! gets none in the next runs: at first in a few, then in twice as many each time. All of this
//! counts work, not time, so that it is the same each time.

use std::collections::BTreeMap;

use flattener::flat::SiteId;
use rustc_hash::FxHashSet;

/// How much work a site may have before its first known state.
const CREDIT: usize = 30_000;
/// How much work a known state pays for.
const PAY: usize = 20_000;
/// More is not saved up.
const MOST_CREDIT: usize = 200_000;
/// In how many runs a site gets no keys at first.
const FIRST_PAUSE: usize = 16;

/// A site of a module.
pub(super) type KeyedSite = (usize, SiteId);

#[derive(Clone, Copy, Debug)]
struct SiteAccount {
    credit: usize,
    /// In how many runs it gets no keys next time.
    pause: usize,
}

/// The accounts of all sites.
#[derive(Debug, Default)]
pub(super) struct KeyEffort {
    accounts: BTreeMap<KeyedSite, SiteAccount>,
    /// Sites that get no keys, until this run.
    pausing: BTreeMap<KeyedSite, usize>,
    runs: usize,
}

impl KeyEffort {
    /// The sites that get no keys in the next run.
    pub(super) fn begin_run(&mut self) -> FxHashSet<KeyedSite> {
        self.runs += 1;
        let runs = self.runs;
        self.pausing.retain(|_, until| *until > runs);
        self.pausing.keys().copied().collect()
    }

    /// A call at a site had a key. Further ones in the same run count for nothing when it was too
    /// much work already.
    pub(super) fn add_call(&mut self, site: KeyedSite, work: usize, pays: bool) {
        if !self.pausing.contains_key(&site) {
            self.add(site, work, pays);
        }
    }

    /// A site had a key.
    pub(super) fn add(&mut self, site: KeyedSite, work: usize, is_known: bool) {
        let account = self.accounts.entry(site).or_insert(SiteAccount {
            credit: CREDIT,
            pause: FIRST_PAUSE,
        });
        if is_known {
            account.credit = (account.credit + PAY).min(MOST_CREDIT);
            account.pause = FIRST_PAUSE;
        }
        match account.credit.checked_sub(work) {
            Some(left) => account.credit = left,
            None => {
                self.pausing
                    .insert(site, self.runs.saturating_add(account.pause));
                account.credit = CREDIT / 4;
                account.pause = account.pause.saturating_mul(2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: KeyedSite = (0, SiteId(7));

    #[test]
    fn sites_that_do_not_pay_get_no_keys_for_longer_and_longer() {
        let mut effort = KeyEffort::default();
        let mut runs_with_keys = 0;
        for _ in 0..10_000 {
            if !effort.begin_run().contains(&SITE) {
                runs_with_keys += 1;
                effort.add(SITE, CREDIT / 8, false);
            }
        }
        assert!((10..60).contains(&runs_with_keys), "{runs_with_keys}");
    }

    #[test]
    fn sites_that_pay_keep_their_keys() {
        let mut effort = KeyEffort::default();
        for run in 0..10_000 {
            assert!(effort.begin_run().is_empty());
            effort.add(SITE, PAY / 8, run % 4 == 0);
        }
    }
}
