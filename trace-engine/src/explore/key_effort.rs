//! Where keys of states are worth their work.
//!
//! Each key is some work, and pays if its state is known. A site whose keys did not pay for a while
//! gets none in the next runs: at first in a few, then in four times as many each time. All of this
//! counts work, not time, so that it is the same each time.

use std::collections::BTreeMap;
use std::sync::Arc;

use flattener::flat::SiteId;
use rustc_hash::FxHashSet;

/// How much work the states of a site may be before the first that is known.
const STATE_CREDIT: usize = 10_000;
/// The same of calls. How one ends is known only by runs that came to the same call before.
const CALL_CREDIT: usize = 30_000;
/// To see that a call cannot be explored by itself counts as so much work, as long as no call at its
/// site could.
const NO_CALL: usize = 2_500;
/// How much work a known state pays for.
const PAY: usize = 8_000;
/// More is not saved up.
const MOST_CREDIT: usize = 200_000;
/// In how many runs a site gets no keys at first.
const FIRST_PAUSE: usize = 16;
/// How many times longer each further pause is.
const LONGER: usize = 4;
/// The credit after a pause is such a part of the first one.
const RENEWED: usize = 8;

/// A site of a module.
pub(super) type KeyedSite = (usize, SiteId);

/// What the key of a call was good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyUse {
    /// The call is explored by itself, or ends.
    Call {
        /// Whether that saved something.
        pays: bool,
    },
    /// It is not explored by itself.
    NoCall,
}

#[derive(Clone, Copy, Debug)]
struct SiteAccount {
    credit: usize,
    /// The credit after a pause.
    next_credit: usize,
    /// In how many runs it gets no keys next time.
    pause: usize,
    /// Whether a call at the site was explored by itself.
    has_call: bool,
}

impl SiteAccount {
    fn new(credit: usize) -> Self {
        Self {
            credit,
            next_credit: credit / RENEWED,
            pause: FIRST_PAUSE,
            has_call: false,
        }
    }
}

/// The accounts of all sites.
#[derive(Debug, Default)]
pub(super) struct KeyEffort {
    accounts: BTreeMap<KeyedSite, SiteAccount>,
    /// Sites that get no keys, until this run.
    pausing: BTreeMap<KeyedSite, usize>,
    /// The same sites, for all runs until others pause.
    skipped: Arc<FxHashSet<KeyedSite>>,
    runs: usize,
}

impl KeyEffort {
    /// The sites that get no keys in the next run.
    pub(super) fn begin_run(&mut self) -> Arc<FxHashSet<KeyedSite>> {
        self.runs += 1;
        let runs = self.runs;
        self.pausing.retain(|_, until| *until > runs);
        let mut pausing = self.pausing.keys();
        let are_known = pausing.all(|it| self.skipped.contains(it));
        if !are_known || self.skipped.len() != self.pausing.len() {
            self.skipped = Arc::new(self.pausing.keys().copied().collect());
        }
        Arc::clone(&self.skipped)
    }

    /// A call at a site had a key. Further ones in the same run count for nothing when it was too
    /// much work already.
    pub(super) fn add_call(&mut self, site: KeyedSite, work: usize, use_of_key: KeyUse) {
        if self.pausing.contains_key(&site) {
            return;
        }
        let account = self.accounts.entry(site);
        let account = account.or_insert_with(|| SiteAccount::new(CALL_CREDIT));
        account.has_call |= use_of_key != KeyUse::NoCall;
        let in_vain = if account.has_call { 0 } else { NO_CALL };
        let pays = use_of_key == KeyUse::Call { pays: true };
        self.add_work(site, work + in_vain, pays);
    }

    /// A site had a key.
    pub(super) fn add(&mut self, site: KeyedSite, work: usize, is_known: bool) {
        let account = self.accounts.entry(site);
        account.or_insert_with(|| SiteAccount::new(STATE_CREDIT));
        self.add_work(site, work, is_known);
    }

    fn add_work(&mut self, site: KeyedSite, work: usize, pays: bool) {
        let Some(account) = self.accounts.get_mut(&site) else {
            return;
        };
        if pays {
            account.credit = (account.credit + PAY).min(MOST_CREDIT);
            account.pause = FIRST_PAUSE;
        }
        match account.credit.checked_sub(work) {
            Some(left) => account.credit = left,
            None => {
                self.pausing
                    .insert(site, self.runs.saturating_add(account.pause));
                account.credit = account.next_credit;
                account.pause = account.pause.saturating_mul(LONGER);
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
                effort.add(SITE, STATE_CREDIT / 8, false);
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

    #[test]
    fn sites_whose_calls_are_never_explored_are_given_up_early() {
        let count = |use_of_key: KeyUse| {
            let mut effort = KeyEffort::default();
            let has_key = |effort: &mut KeyEffort| {
                let has_key = !effort.begin_run().contains(&SITE);
                if has_key {
                    effort.add_call(SITE, 10, use_of_key);
                }
                has_key
            };
            (0..1_000).filter(|_| has_key(&mut effort)).count()
        };
        assert!(count(KeyUse::NoCall) < 100);
        assert_eq!(count(KeyUse::Call { pays: false }), 1_000);
    }
}
