//! The pids of a run. In the log, the pid of a controlled process holds the number of the process,
//! so it is the same in every run.

use solver::graph::{Graph, Kinds, Node, NodeId};

/// The beginning of such a pid in external term format.
const HEAD: &[u8] = b"\x83\x58\x77\x0ferlconcolic@run";

/// The number of the process that a constant is the pid of; `None` for other values.
pub(super) fn process_number(graph: &Graph, node: NodeId) -> Option<usize> {
    let Node::Other(Kinds::PID, bytes) = graph.node(node) else {
        return None;
    };
    let (number, rest) = bytes.strip_prefix(HEAD)?.split_first_chunk()?;
    let is_canonical = rest.iter().all(|byte| *byte == 0);
    is_canonical.then_some(u32::from_be_bytes(*number) as usize)
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
    }
}
