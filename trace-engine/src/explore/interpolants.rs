//! Interpolants: states whose rest is covered by runs that came to other states.
//!
//! The argument for all of this is in `docs/architecture.md`. In short:
//!
//! - A state has a *shape*: its place, and its values with other values allowed at leaves
//!   (`StateShape`). States of one shape go on in ways that differ only in what their leaves say.
//! - A run is replayed a second time with inputs as the leaves of each state that it reaches, so that
//!   each of its decisions is a condition on the leaves. All such parts of runs that begin in states
//!   of one shape are a tree of paths that were run (`path_trees`).
//! - The *annotation* of a shape says for which leaves no path leaves that tree: no way is taken that
//!   no run has taken, and where a path comes to another state, the annotation of its shape holds
//!   (`annotations`). By induction on the length of a run, a run from leaves that fulfil the annotation takes
//!   a path that was run, part for part. So it reaches no clause and ends in no finding that is not
//!   known.
//! - Whatever was not run counts as a way that must not be taken, whether it is impossible, waits to
//!   be run, could not be solved, or diverged. So nothing depends on what the solver said, nor on the
//!   order of runs. A state is *full* in the sense of Jaffar, Murali and Navas when its leaves
//!   fulfil the annotation of its shape, and then it is covered.

mod annotations;
mod linear_bounds;
mod path_trees;
mod rewriting;
mod settling;

pub(super) use annotations::Interpolants;
pub(super) use path_trees::KeyHash;
