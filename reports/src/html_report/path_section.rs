//! The section with the trees of paths, which the script fills.

use std::fmt::Write;

use super::escaping::escape;
use super::page::Page;
use crate::counted::counted;

/// What ways mean that were not run.
const MERGED: &str = "<p class=\"hint js\" hidden>A way that “goes on as” another one was not run. \
    It leads to the same decision in the same state: what the rest of the program looks at is the \
    same, and so are all ways from there on. They are shown once, where the link leads. If \
    arguments must be deeper for it than is allowed, it is not possible at all.</p>";

/// What the trees of a page lack that was made from reports.
const WITHOUT_PATHS: &str = "<p class=\"hint\">This page was made from reports, which have tests but \
    no decisions. The pages that explore --html writes have the trees of paths.</p>";

/// The section with the trees, which the script fills.
pub(super) fn section(page: &Page) -> String {
    let mut out = String::new();
    if page.is_told {
        out.push_str(WITHOUT_PATHS);
    }
    let mut nodes = page.entries.iter().flat_map(|it| &it.nodes);
    if nodes.any(|node| node.goes_on_as.is_some()) {
        out.push_str(MERGED);
    }
    for (number, entry) in page.entries.iter().enumerate() {
        let name = escape(&entry.name);
        let tests = counted(entry.tests.len(), "test");
        let left_out = match entry.merged_ways_left_out {
            0 => String::new(),
            count => {
                let ways = counted(count, "more way");
                format!(
                    "<p class=\"hint js\" hidden>{ways} that go on as others are not shown.</p>"
                )
            }
        };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<section class=\"tree-of\" aria-labelledby=\"tree-{number}-name\">\
             <div class=\"tree-head\"><h3 id=\"tree-{number}-name\"><code>{name}</code> \
             <small>{tests}</small></h3><div class=\"tools\" hidden>\
             <button type=\"button\" data-unfold=\"{number}\">Unfold all</button>\
             <button type=\"button\" data-fold=\"{number}\">Fold all</button></div></div>\
             <div class=\"tree\" role=\"tree\" data-tree=\"{number}\" \
             aria-labelledby=\"tree-{number}-name\"></div>{left_out}</section>"
        );
    }
    out.push_str("<p class=\"nothing no-js\">The tree needs JavaScript.</p>");
    out
}
