//! Numbers with their nouns.

/// A number and a noun: `1 test`, `2 tests`.
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
