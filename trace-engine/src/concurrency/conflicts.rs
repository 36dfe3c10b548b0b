//! Which earlier steps a step depends on, because both use the same thing and one changes it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::replay::{Access, Object};

/// What steps did to an object since it was changed last.
#[derive(Clone, Debug, Default)]
struct Uses {
    last_write: Option<usize>,
    /// Steps that read it since.
    reads: Vec<usize>,
}

impl Uses {
    fn collect(&self, writes: bool, found: &mut Vec<usize>) {
        found.extend(self.last_write);
        if writes {
            found.extend(&self.reads);
        }
    }
}

/// The uses of a root as a whole, and of its parts.
#[derive(Clone, Debug, Default)]
struct RootUses {
    whole: Uses,
    parts: BTreeMap<u64, Uses>,
}

/// What steps did to all objects so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Conflicts {
    roots: FxHashMap<u64, RootUses>,
}

impl Conflicts {
    /// The steps that a step with these accesses depends on, without doubles, the latest first.
    pub(super) fn of(&self, accesses: &[Access]) -> Vec<usize> {
        let mut found = Vec::new();
        for Access { object, writes } in accesses {
            let Some(root) = self.roots.get(&object.root) else {
                continue;
            };
            root.whole.collect(*writes, &mut found);
            match object.part {
                Some(part) => {
                    if let Some(uses) = root.parts.get(&part) {
                        uses.collect(*writes, &mut found);
                    }
                }
                None => {
                    for uses in root.parts.values() {
                        uses.collect(*writes, &mut found);
                    }
                }
            }
        }
        found.sort_unstable_by(|one, other| other.cmp(one));
        found.dedup();
        found
    }

    /// Notes a step.
    pub(super) fn note<'access>(
        &mut self,
        event: usize,
        accesses: impl IntoIterator<Item = &'access Access>,
    ) {
        for Access { object, writes } in accesses {
            let Object { root, part } = *object;
            let root = self.roots.entry(root).or_default();
            let uses = match part {
                Some(part) => root.parts.entry(part).or_default(),
                None => &mut root.whole,
            };
            if *writes {
                *uses = Uses {
                    last_write: Some(event),
                    reads: Vec::new(),
                };
            } else {
                uses.reads.push(event);
            }
        }
    }
}
