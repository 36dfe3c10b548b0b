//! Titles of tests: a call and what it does.

use std::collections::BTreeSet;

use crate::elixir::quoted;

/// How many characters of a title the call and its ending may take. The name of a test is an atom.
const CALL: usize = 120;
const ENDING: usize = 60;

/// The titles that are taken.
#[derive(Debug, Default)]
pub(super) struct TestTitles(BTreeSet<String>);

impl TestTitles {
    /// A title that no other test has, as a string: with a number if it is taken.
    pub(super) fn unique(&mut self, call: &str, ending: &str) -> String {
        let wanted = format!("{} {}", cut(call, CALL), cut(ending, ENDING));
        let mut title = wanted.clone();
        let mut number = 1;
        while self.0.contains(&title) {
            number += 1;
            title = format!("{wanted} ({number})");
        }
        self.0.insert(title.clone());
        quoted(&title)
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 3).collect();
    format!("{kept}...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_unique_and_short() {
        let mut titles = TestTitles::default();
        assert_eq!(
            titles.unique("M.f(\"a\")", "returns 1"),
            r#""M.f(\"a\") returns 1""#
        );
        assert_eq!(
            titles.unique("M.f(\"a\")", "returns 1"),
            r#""M.f(\"a\") returns 1 (2)""#
        );
        let long = titles.unique(&"x".repeat(500), &"y".repeat(500));
        assert!(long.chars().count() < 200, "{long}");
    }
}
