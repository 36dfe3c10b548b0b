//! Why reports do not belong together.

use diagnostic::Diagnostic;

use super::named_report::NamedReport;
use crate::shards::Shards;

/// Messages about reports that differ from the first, and about shards that are there twice.
pub(super) fn differences(reports: &[NamedReport]) -> Vec<Diagnostic> {
    let Some((first, others)) = reports.split_first() else {
        return Vec::new();
    };
    let differing = others.iter().filter_map(|it| difference(first, it));
    let mut messages: Vec<Diagnostic> = differing.collect();
    if messages.is_empty() {
        messages.extend(repeated_shards(reports));
    }
    messages
}

/// How a report differs from the first one.
fn difference(first: &NamedReport, other: &NamedReport) -> Option<Diagnostic> {
    let (one, two) = (&first.saved.made_of, &other.saved.made_of);
    let (this, that) = (&other.name, &first.name);
    let message = |title: String, help: &str| {
        Some(Diagnostic::error("different-reports", title).help(help.to_owned()))
    };
    if one.tool != two.tool {
        let title = format!(
            "{this} is from erlconcolic {}, and {that} from {}",
            two.tool, one.tool
        );
        return message(title, "explore all of it with one version");
    }
    if one.otp != two.otp {
        let title = format!(
            "{this} is from OTP {}, and {that} from OTP {}",
            two.otp, one.otp
        );
        return message(title, "explore all of it with one release of OTP");
    }
    let differs = |it: &(&String, &String)| one.modules.get(it.0).is_some_and(|own| own != it.1);
    if let Some((module, _)) = two.modules.iter().find(differs) {
        let title = format!("the module {module} is not the same in {this} and {that}");
        return message(title, "explore the same code for all reports");
    }
    for key in ["model", "conditions"] {
        if first.json[key] != other.json[key] {
            let title = format!("{this} and {that} differ in `{key}`");
            let help = "explore all of it with the same --delivery, --time, --pre and --post";
            return message(title, help);
        }
    }
    match (&first.saved.shards, &other.saved.shards) {
        (None, None) if first.json == other.json => message(
            format!("{this} and {that} are the same report"),
            "give each report once",
        ),
        (None, None) => None,
        (Some(_), None) => message(format!("{this} is not a shard, but {that} is"), SHARDS),
        (None, Some(_)) => message(format!("{this} is a shard, but {that} is not"), SHARDS),
        (Some(own), Some(others)) if is_other_division(own, others) => {
            let title = format!("{this} has {others}, but {that} has {own} of other functions");
            message(title, SHARDS)
        }
        (Some(_), Some(_)) => {
            let missing = one.modules.keys().find(|it| !two.modules.contains_key(*it));
            let missing = missing.map(|it| format!("the module {it} is not in {this}"));
            missing.and_then(|title| message(title, SHARDS))
        }
    }
}

/// What to do about shards that do not fit.
const SHARDS: &str = "give all shards of one project: the same sources and options, and the same N";

fn is_other_division(one: &Shards, other: &Shards) -> bool {
    one.of != other.of || one.functions != other.functions
}

/// A shard that two reports have.
fn repeated_shards(reports: &[NamedReport]) -> Option<Diagnostic> {
    let mut known: Vec<(usize, &str)> = Vec::new();
    for report in reports {
        for number in report.saved.shards.iter().flat_map(|it| &it.here) {
            if let Some((_, name)) = known.iter().find(|it| it.0 == *number) {
                let title = format!("shard {number} is in {name} and in {}", report.name);
                let help = "give each shard once";
                return Some(Diagnostic::error("different-reports", title).help(help));
            }
            known.push((*number, &report.name));
        }
    }
    None
}
