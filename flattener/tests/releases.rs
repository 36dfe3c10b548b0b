//! Core Erlang as the compilers of OTP 24 to 28 write it. The files are written by hand after those
//! compilers. Those that this OTP accepts are also run, by the end-to-end test of the same name.

use flattener::flat::{TailForm, to_ast};
use flattener::passes::verify;
use flattener::{Detail, flatten, parse_module, print_module};

/// The names and texts of the files, in the order of releases.
const FILES: [(&str, &str); 7] = [
    ("otp_24", include_str!("releases/otp_24.core")),
    ("otp_25", include_str!("releases/otp_25.core")),
    ("otp_26", include_str!("releases/otp_26.core")),
    ("otp_27", include_str!("releases/otp_27.core")),
    (
        "otp_27_coverage",
        include_str!("releases/otp_27_coverage.core"),
    ),
    ("otp_28", include_str!("releases/otp_28.core")),
    (
        "otp_28_debugger",
        include_str!("releases/otp_28_debugger.core"),
    ),
];

#[test]
fn texts_of_all_releases_are_read_printed_and_flattened() {
    for (name, text) in FILES {
        let module = parse_module(text);
        let module = module.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let printed = print_module(&module, Detail::Full);
        assert_eq!(parse_module(&printed).as_ref(), Ok(&module), "{name}");
        let flat = flatten(module).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_eq!(verify::flat(&flat), Vec::<String>::new(), "{name}");
        for tail_form in [TailForm::Bound, TailForm::Bare] {
            let text = print_module(&to_ast(&flat, tail_form), Detail::Full);
            let again = parse_module(&text).map(flatten);
            assert!(again.is_ok_and(|it| it.is_ok()), "{name}:\n{text}");
        }
    }
}

/// The flat form must keep the features that are new in a release.
#[test]
fn the_flat_form_keeps_new_features() {
    for (file, words) in [
        ("otp_24", "recv_wait_timeout"),
        ("otp_25", "maybe_else_fail"),
        ("otp_26", "mc_refill"),
        ("otp_27", "moduledoc"),
        ("otp_27_coverage", "executable_line"),
        ("otp_28", "nominal"),
        ("otp_28", "nomatch_clause"),
        ("otp_28_debugger", "primop 'debug_line'"),
        ("otp_28_debugger", "{'debug_line',"),
        ("otp_28_debugger", "nif_start"),
    ] {
        let found = FILES.iter().find(|(name, _)| *name == file);
        let (_, text) = found.expect("the file is there");
        let flat = flatten(parse_module(text).expect("it parses")).expect("a program");
        let printed = print_module(&to_ast(&flat, TailForm::Bare), Detail::Full);
        assert!(printed.contains(words), "{file}: {words}");
    }
}
