//! Links of processes, the flags `trap_exit`, and what signals do with them.

use std::collections::HashSet;

use super::objects::Shared;
use super::shared_access::{Access, Object};
use super::signal_effect::{ExitKind, SignalEffect, Watch};

/// What follows from a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consequence {
    /// The flag of a process decides what follows.
    Looks(usize),
    /// A process loses a link, and its flag decides what follows.
    Unlinks(usize),
    /// The process that made the step is gone.
    Ends(usize),
    /// A process is ended.
    Dies(usize),
    /// A name or a table is gone with its process.
    Frees(Object),
    /// A process gets a message about what it watches.
    Down(Watch),
    /// A process gets a message with an exit signal of another one.
    Told { process: usize, from: usize },
}

impl Consequence {
    /// What the step touches because of it.
    pub(super) fn accesses(self) -> Vec<Access> {
        match self {
            Self::Looks(process) => vec![Access::read(Shared::signals_of(process))],
            Self::Unlinks(process) => vec![Access::write(Shared::signals_of(process))],
            Self::Dies(process) => vec![
                Access::write(Shared::process_of(process)),
                Access::write(Shared::mailbox_of(process)),
                Access::read(Shared::signals_of(process)),
            ],
            Self::Ends(process) => vec![
                Access::write(Shared::process_of(process)),
                Access::read(Shared::signals_of(process)),
                Access::read(Shared::all_processes()),
            ],
            Self::Frees(object) => vec![Access::write(object)],
            Self::Told { process, .. } => vec![Access::read(Shared::mailbox_of(process))],
            Self::Down(watch) => {
                let mailbox = Access::read(Shared::mailbox_of(watch.watcher));
                let alias = watch.alias.map(Access::write);
                [mailbox].into_iter().chain(alias).collect()
            }
        }
    }
}

/// Who is linked to whom, who traps exits, and who is gone.
#[derive(Clone, Debug, Default)]
pub(crate) struct SignalState {
    /// The oldest link first.
    links: Vec<(usize, usize)>,
    trapping: HashSet<usize>,
    gone: HashSet<usize>,
    monitors: Vec<Watch>,
    /// Names and tables with their processes.
    owned: Vec<(usize, Object)>,
}

impl SignalState {
    /// Whether a process has ended, or was ended.
    pub(super) fn is_gone(&self, process: usize) -> bool {
        self.gone.contains(&process)
    }

    /// A step is made. Returns what it touches beside what is known of it without the others.
    pub(crate) fn touched_by(&mut self, effect: SignalEffect) -> Vec<Access> {
        let consequences = self.apply(effect).into_iter();
        consequences.flat_map(Consequence::accesses).collect()
    }

    /// A step is made. Returns what follows, in order.
    pub(super) fn apply(&mut self, effect: SignalEffect) -> Vec<Consequence> {
        let mut all = Vec::new();
        match effect {
            SignalEffect::Link(own, other) => self.following(own, &mut all).link(own, other),
            SignalEffect::Exit(from, to, kind) => {
                self.following(from, &mut all).exit(from, to, kind);
            }
            SignalEffect::End(process, kind) => {
                self.following(process, &mut all).ends(process, kind)
            }
            SignalEffect::Monitor(watch) if self.is_gone(watch.watched) => {
                all.push(Consequence::Down(watch));
            }
            SignalEffect::Monitor(watch) => self.monitors.push(watch),
            SignalEffect::Demonitor(reference) => {
                self.monitors.retain(|it| it.reference != reference);
            }
            SignalEffect::Unlink(own, other) => self.unlink(own, other),
            SignalEffect::Trap(process, traps) => self.set_trapping(process, traps),
            SignalEffect::Owns(process, object) => {
                self.free(object);
                self.owned.push((process, object));
            }
            SignalEffect::Frees(object) => self.free(object),
        }
        all
    }

    fn following<'state>(
        &'state mut self,
        actor: usize,
        all: &'state mut Vec<Consequence>,
    ) -> Following<'state> {
        Following {
            state: self,
            actor,
            all,
        }
    }

    fn unlink(&mut self, one: usize, other: usize) {
        self.links
            .retain(|it| *it != (one, other) && *it != (other, one));
    }

    fn set_trapping(&mut self, process: usize, traps: bool) {
        if traps {
            self.trapping.insert(process);
        } else {
            self.trapping.remove(&process);
        }
    }

    fn free(&mut self, object: Object) {
        self.owned.retain(|it| it.1 != object);
    }

    fn link(&mut self, one: usize, other: usize) {
        let is_known = self.links.contains(&(one, other)) || self.links.contains(&(other, one));
        if one != other && !is_known {
            self.links.push((one, other));
        }
    }

    /// Removes all links of a process. Returns those that it was linked to.
    fn take_links(&mut self, process: usize) -> Vec<usize> {
        let is_own = |it: &mut (usize, usize)| it.0 == process || it.1 == process;
        let own = self.links.extract_if(.., is_own);
        let other = |(one, other)| if one == process { other } else { one };
        own.map(other).collect()
    }
}

/// What follows from a step, while it is found out.
struct Following<'state> {
    state: &'state mut SignalState,
    /// The process that makes the step.
    actor: usize,
    all: &'state mut Vec<Consequence>,
}

impl Following<'_> {
    fn link(&mut self, own: usize, other: usize) {
        if !self.state.is_gone(other) {
            self.state.link(own, other);
        // Otherwise the call raises.
        } else if self.state.trapping.contains(&own) {
            self.signal(other, own, ExitKind::Other);
        }
    }

    fn exit(&mut self, from: usize, to: usize, kind: ExitKind) {
        if self.state.is_gone(to) {
            return;
        }
        self.all.push(Consequence::Looks(to));
        // A process ends itself with any reason.
        let is_own = from == to && !self.state.trapping.contains(&to);
        if kind == ExitKind::Kill || is_own {
            self.ends(to, kind);
        } else {
            self.signal(from, to, kind);
        }
    }

    /// A signal that can be trapped comes to a process.
    fn signal(&mut self, from: usize, to: usize, kind: ExitKind) {
        if self.state.trapping.contains(&to) {
            let process = to;
            self.all.push(Consequence::Told { process, from });
        } else if kind != ExitKind::Normal {
            self.ends(to, kind);
        }
    }

    /// A process ends, and tells those that it is linked to.
    fn ends(&mut self, process: usize, kind: ExitKind) {
        self.state.gone.insert(process);
        self.all.push(if process == self.actor {
            Consequence::Ends(process)
        } else {
            Consequence::Dies(process)
        });
        let owned = self.state.owned.extract_if(.., |it| it.0 == process);
        self.all.extend(owned.map(|it| Consequence::Frees(it.1)));
        // Those who are linked to it hear of its end before those who watch it.
        let linked = self.state.take_links(process);
        for other in linked {
            if !self.state.is_gone(other) {
                self.all.push(Consequence::Unlinks(other));
                self.signal(process, other, kind);
            }
        }
        let monitors = &mut self.state.monitors;
        let monitors = monitors.extract_if(.., |it| it.watched == process);
        self.all.extend(monitors.map(Consequence::Down));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(effects: &[SignalEffect], last: SignalEffect) -> Vec<Consequence> {
        let mut state = SignalState::default();
        for effect in effects {
            state.apply(*effect);
        }
        let looks =
            |it: &Consequence| !matches!(it, Consequence::Looks(_) | Consequence::Unlinks(_));
        state.apply(last).into_iter().filter(looks).collect()
    }

    #[test]
    fn an_end_goes_along_links_to_those_who_trap_it() {
        let links = [
            SignalEffect::Link(1, 2),
            SignalEffect::Link(3, 2),
            SignalEffect::Link(4, 3),
            SignalEffect::Trap(3, true),
        ];
        let told = Consequence::Told {
            process: 3,
            from: 2,
        };
        let end = SignalEffect::End(1, ExitKind::Other);
        assert_eq!(
            after(&links, end),
            [Consequence::Ends(1), Consequence::Dies(2), told]
        );
        let end = SignalEffect::End(1, ExitKind::Normal);
        assert_eq!(after(&links, end), [Consequence::Ends(1)]);
        let end = SignalEffect::End(2, ExitKind::Normal);
        assert_eq!(after(&links, end), [Consequence::Ends(2), told]);
    }

    #[test]
    fn a_kill_is_not_trapped_but_what_follows_is() {
        let links = [
            SignalEffect::Link(1, 2),
            SignalEffect::Trap(1, true),
            SignalEffect::Trap(2, true),
        ];
        let kill = SignalEffect::Exit(3, 2, ExitKind::Kill);
        let told = Consequence::Told {
            process: 1,
            from: 2,
        };
        assert_eq!(after(&links, kill), [Consequence::Dies(2), told]);
        let exit = SignalEffect::Exit(3, 2, ExitKind::Normal);
        let told = Consequence::Told {
            process: 2,
            from: 3,
        };
        assert_eq!(after(&links, exit), [told]);
    }

    #[test]
    fn only_a_process_itself_ends_of_a_normal_signal() {
        let other = SignalEffect::Exit(1, 2, ExitKind::Normal);
        assert_eq!(after(&[], other), []);
        let own = SignalEffect::Exit(1, 1, ExitKind::Normal);
        assert_eq!(after(&[], own), [Consequence::Ends(1)]);
    }

    #[test]
    fn a_link_to_a_process_that_is_gone_tells_those_who_trap_exits() {
        let gone = [SignalEffect::End(2, ExitKind::Normal)];
        let link = SignalEffect::Link(1, 2);
        assert_eq!(after(&gone, link), []);
        let trapping = [gone[0], SignalEffect::Trap(1, true)];
        let told = Consequence::Told {
            process: 1,
            from: 2,
        };
        assert_eq!(after(&trapping, link), [told]);
    }
}
