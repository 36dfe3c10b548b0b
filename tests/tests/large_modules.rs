//! Modules of many clauses: instrumented code that is taken apart still means the same, and grows
//! with the source, not with its square.

use std::fs;
use std::path::Path;

use end_to_end::erlang::evaluate;
use end_to_end::large_modules::LARGE_MODULES;
use end_to_end::tool::Workplace;

/// Enough for each module to be taken apart.
const CLAUSES: usize = 200;

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"))
}

/// The results of all calls with the code in some folders: a value, or class and reason.
fn results(place: &Workplace, folders: &[&str]) -> String {
    let calls = LARGE_MODULES.iter().flat_map(|it| it.calls());
    let shown = |call: String| format!("Show({call:?}, fun() -> {call} end)");
    let calls: Vec<String> = calls.map(shown).collect();
    let paths = folders.iter().map(|it| format!("code:add_patha({it:?}), "));
    let show = "Show = fun(Call, Run) -> io:format(\"~ts~n~tp~n\", [Call, \
                try Run() catch Class:Reason -> {Class, Reason} end]) end, ";
    let paths: String = paths.collect();
    let expression = format!("{paths}{show}{}, halt().", calls.join(", "));
    let finished = evaluate(&place.path("."), &expression);
    assert_eq!(finished.status, 0, "{}", finished.text);
    finished.text
}

fn instrument(place: &Workplace, clauses: usize) {
    for module in &LARGE_MODULES {
        let path = format!("src/{}.erl", module.name);
        place.write(&path, module.text(clauses).as_bytes());
    }
    let run = place.run(&["instrument", "src", "-o", "build"]);
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn large_modules_mean_the_same() {
    let place = workplace();
    instrument(&place, CLAUSES);
    let original = results(&place, &["build/original"]);
    let instrumented = results(&place, &["build/instrumented", "build/runtime"]);
    assert_eq!(original, instrumented);
}

/// The sizes of the instrumented code of each module, in bytes.
fn sizes(folder: &Path) -> Vec<u64> {
    let size = |name: &str| {
        let path = folder.join(format!("{name}.beam"));
        fs::metadata(path).expect("the code is there").len()
    };
    LARGE_MODULES.iter().map(|it| size(it.name)).collect()
}

#[test]
fn code_grows_with_the_source() {
    let [small, large] = [CLAUSES, 4 * CLAUSES].map(|clauses| {
        let place = workplace();
        instrument(&place, clauses);
        sizes(&place.path("build/instrumented"))
    });
    for ((module, small), large) in LARGE_MODULES.iter().zip(small).zip(large) {
        assert!(large < 6 * small, "{}: {small}, {large}", module.name);
    }
}
