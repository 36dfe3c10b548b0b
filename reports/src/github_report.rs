//! The report as workflow commands, which GitHub Actions shows beside the code.

use std::fmt::Write;

use crate::exploration::Exploration;
use crate::findings::Finding;
use crate::order_words::{order_lines, reproduced_with, reproduction};
use crate::text_report::{closing_line, finding_title};

/// The report as workflow commands. Accepted findings are only counted.
pub fn github_report(exploration: &Exploration<'_>) -> String {
    let mut out = String::new();
    for finding in exploration.new_findings() {
        out.push_str(&command(exploration, finding));
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", closing_line(exploration));
    out
}

fn command(exploration: &Exploration<'_>, finding: &Finding) -> String {
    let level = if finding.is_likely { "error" } else { "notice" };
    let mut properties = Vec::new();
    if let Some(site) = finding.site.as_ref().filter(|it| !it.file.is_empty()) {
        properties.push(format!("file={}", property(&site.file)));
        properties.extend((site.line > 0).then(|| format!("line={}", site.line)));
    }
    properties.push(format!("title={}", property("erlconcolic")));
    let mut lines = vec![finding_title(exploration, finding)];
    lines.extend(order_lines(exploration, finding));
    let call = reproduction(exploration, finding, finding.first());
    lines.push(reproduced_with(&call));
    let message = lines.join("\n");
    format!("::{level} {}::{}\n", properties.join(","), data(&message))
}

/// The text of a command.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_commands_are_escaped() {
        assert_eq!(data("50%\r\na:b,c"), "50%25%0D%0Aa:b,c");
        assert_eq!(property("a:b,50%\n"), "a%3Ab%2C50%25%0A");
    }
}
