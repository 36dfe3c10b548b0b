//! The pids of a run. In the log, the pid of a controlled process holds the number of the process,
//! so it is the same in every run.

use solver::graph::{Graph, Kinds, Node, NodeId};
use trace_format::Payload;

/// The beginning of such a pid in external term format.
const HEAD: &[u8] = b"\x83\x58\x77\x0ferlconcolic@run";

/// The same as the first element of a pair.
const HEAD_IN_PAIR: &[u8] = b"\x83\x68\x02\x58\x77\x0ferlconcolic@run";

/// Processes that nobody controls have numbers from this one on.
pub(super) const FIRST_FOREIGN: u32 = 1_000_000;

/// The number of the process that a constant is the pid of; `None` for other values.
pub(crate) fn process_number(graph: &Graph, node: NodeId) -> Option<usize> {
    let Node::Other(Kinds::PID, bytes) = graph.node(node) else {
        return None;
    };
    let (number, rest) = bytes.strip_prefix(HEAD)?.split_first_chunk()?;
    let is_canonical = rest.iter().all(|byte| *byte == 0);
    is_canonical.then_some(u32::from_be_bytes(*number) as usize)
}

/// The pid of a controlled process.
pub(super) fn pid_of(graph: &mut Graph, number: usize) -> NodeId {
    let number = u32::try_from(number).unwrap_or(FIRST_FOREIGN);
    let bytes = [HEAD, &number.to_be_bytes(), &[0; 8]].concat();
    graph.foreign(&bytes).unwrap_or_else(|| graph.unknown())
}

/// Whether a call returned the pid of a controlled process that was spawned, perhaps with a monitor, or
/// the reference of a timer.
pub(super) fn is_child(payload: &Payload) -> bool {
    let pid = payload.0.strip_prefix(HEAD);
    let pid = pid.or_else(|| payload.0.strip_prefix(HEAD_IN_PAIR));
    let number = pid.and_then(|pid| pid.first_chunk());
    number.is_some_and(|number| (1..FIRST_FOREIGN).contains(&u32::from_be_bytes(*number)))
        || timer_in(&payload.0).is_some()
}

/// The beginning of a reference of a run in external term format, behind the number of its words.
const REFERENCE_HEAD: &[u8] = b"\x77\x0ferlconcolic@run\0\0\0\0";

/// References of timers have numbers from this one on.
const FIRST_TIMER: u32 = 1_000_000;

/// The number of the process of the timer that a constant is the reference of.
pub(super) fn timer_number(graph: &Graph, node: NodeId) -> Option<usize> {
    let Node::Other(Kinds::REFERENCE, bytes) = graph.node(node) else {
        return None;
    };
    timer_in(bytes)
}

/// The same for a reference in external term format, behind whose tag is the number of its words.
fn timer_in(bytes: &[u8]) -> Option<usize> {
    let bytes = bytes.strip_prefix(b"\x83\x5a")?.get(2..)?;
    let (number, _) = bytes.strip_prefix(REFERENCE_HEAD)?.split_first_chunk()?;
    let number = u32::from_be_bytes(*number).checked_sub(FIRST_TIMER)?;
    Some(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pids_of_the_run_hold_numbers() {
        let mut graph = Graph::default();
        let mut pid = |node: &[u8], number: u32| {
            let mut bytes = vec![131, 88, 119, u8::try_from(node.len()).expect("it is short")];
            bytes.extend(node.iter().chain(&number.to_be_bytes()));
            bytes.extend([0; 8]);
            let node = graph.foreign(&bytes).expect("it is a pid");
            process_number(&graph, node)
        };
        assert_eq!(pid(b"erlconcolic@run", 0), Some(0));
        assert_eq!(pid(b"erlconcolic@run", 70_000), Some(70_000));
        assert_eq!(pid(b"nonode@nohost", 3), None);
        let atom = graph.atom("a");
        assert_eq!(process_number(&graph, atom), None);
        let made = pid_of(&mut graph, 7);
        assert_eq!(process_number(&graph, made), Some(7));
    }

    #[test]
    fn children_are_known_by_their_pids() {
        let payload = |head: &[u8], number: u32| {
            let bytes = [head, &number.to_be_bytes(), &[0; 8]].concat();
            is_child(&Payload(bytes.into()))
        };
        assert!(payload(HEAD, 1) && payload(HEAD_IN_PAIR, 1));
        assert!(!payload(HEAD, 0) && !payload(HEAD, FIRST_FOREIGN) && !payload(b"", 1));
    }
}
