//! `docs/limitations.md` lists all models. With `INSTA_UPDATE=always` this test updates the lists.

#![expect(
    clippy::disallowed_methods,
    reason = "the test reads the documentation, and updates it on request"
)]

use std::{env, fs};

use models::{list_of_followed_elixir_modules, list_of_followed_modules, list_of_models};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/limitations.md");

/// The text with a generated part between the markers with this name.
fn with_part(text: &str, name: &str, part: &str) -> String {
    let marker = |edge| format!("  <!-- {name}: {edge} -->\n");
    let (begin, end) = (marker("begin"), marker("end"));
    let (before, rest) = text.split_once(&begin).expect("the first marker is there");
    let (_, after) = rest.split_once(&end).expect("the second marker is there");
    format!("{before}{begin}{part}{end}{after}")
}

#[test]
fn limitations_list_all_models() {
    let text = fs::read_to_string(FILE).expect("the page can be read");
    let expected = with_part(&text, "models", &list_of_models());
    let expected = with_part(&expected, "followed modules", &list_of_followed_modules());
    let elixir = list_of_followed_elixir_modules();
    let expected = with_part(&expected, "followed modules of Elixir", &elixir);
    if text == expected {
        return;
    }
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(FILE, expected).expect("the page can be written");
        return;
    }
    panic!(
        "docs/limitations.md must list the models as follows; INSTA_UPDATE=always updates it\n{}\n{}",
        list_of_models(),
        list_of_followed_modules()
    );
}
