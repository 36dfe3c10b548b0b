//! The section with the trees of paths, which the script fills.

use std::fmt::Write;

use super::escaping::escape;
use super::page::Page;
use crate::counted::counted;

/// The section with the trees, which the script fills.
pub(super) fn section(page: &Page) -> String {
    let mut out = String::new();
    for (number, entry) in page.entries.iter().enumerate() {
        let name = escape(&entry.name);
        let tests = counted(entry.tests.len(), "test");
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<section class=\"tree-of\" aria-labelledby=\"tree-{number}-name\">\
             <div class=\"tree-head\"><h3 id=\"tree-{number}-name\"><code>{name}</code> \
             <small>{tests}</small></h3><div class=\"tools\" hidden>\
             <button type=\"button\" data-unfold=\"{number}\">Unfold all</button>\
             <button type=\"button\" data-fold=\"{number}\">Fold all</button></div></div>\
             <div class=\"tree\" role=\"tree\" data-tree=\"{number}\" \
             aria-labelledby=\"tree-{number}-name\"></div></section>"
        );
    }
    out.push_str("<p class=\"nothing no-js\">The tree needs JavaScript.</p>");
    out
}
