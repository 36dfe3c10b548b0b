//! What steps do to things that processes share.

/// What a step does to something that processes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    /// What it touches.
    pub object: Object,
    /// Whether it changes it.
    pub writes: bool,
}

impl Access {
    /// It looks at something.
    pub fn read(object: Object) -> Self {
        Self {
            object,
            writes: false,
        }
    }

    /// It changes something.
    pub fn write(object: Object) -> Self {
        Self {
            object,
            writes: true,
        }
    }

    /// Whether the order of two steps with these accesses matters.
    pub fn conflicts_with(&self, other: &Self) -> bool {
        (self.writes || other.writes) && self.object.overlaps(&other.object)
    }
}

/// Something that processes share, by hashes that are the same in all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Object {
    /// Such as a table, or a name.
    pub root: u64,
    /// Such as a key of the table; `None` for all of it.
    pub part: Option<u64>,
}

impl Object {
    /// Whether they have something in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        let is_same_part = match (self.part, other.part) {
            (Some(own), Some(others)) => own == others,
            (None, _) | (_, None) => true,
        };
        self.root == other.root && is_same_part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(root: u64, part: Option<u64>) -> Object {
        Object { root, part }
    }

    #[test]
    fn a_table_overlaps_its_keys_but_keys_do_not_overlap_each_other() {
        let (table, one, two) = (object(1, None), object(1, Some(1)), object(1, Some(2)));
        assert!(table.overlaps(&one) && one.overlaps(&table) && one.overlaps(&one));
        assert!(!one.overlaps(&two));
        assert!(!one.overlaps(&object(2, Some(1))));
    }

    #[test]
    fn readers_do_not_conflict() {
        let access = |writes| Access {
            object: object(1, None),
            writes,
        };
        assert!(!access(false).conflicts_with(&access(false)));
        assert!(access(false).conflicts_with(&access(true)));
        assert!(access(true).conflicts_with(&access(true)));
    }
}
