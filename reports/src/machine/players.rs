//! What plays machines. It is followed like code of the user, who does not know it.

/// How the names of its modules begin.
const BEGINNINGS: [&str; 2] = ["erlconcolic_machine", "erlconcolic_play"];

/// Whether a function, `m:f/1`, is of what plays machines.
pub(crate) fn is_of_player(function: &str) -> bool {
    BEGINNINGS.iter().any(|it| function.starts_with(it))
}
