//! Charts as text.

use unicode_width::UnicodeWidthStr;

use super::*;

fn lane(path: &str, entry: &str) -> Lane {
    Lane {
        path: path.to_owned(),
        entry: entry.to_owned(),
    }
}

fn row(lane: usize, line: i64, kind: RowKind) -> ChartRow {
    let place = (line > 0).then(|| SourcePlace {
        file: "src/tickets.erl".to_owned(),
        line,
    });
    ChartRow {
        lane,
        kind,
        place,
        is_racing: false,
    }
}

fn sends(to: usize, message: &str) -> RowKind {
    RowKind::Sends {
        to,
        message: message.to_owned(),
        arrives: true,
    }
}

fn takes(from: usize, message: &str, waited: bool) -> RowKind {
    RowKind::Takes {
        from,
        message: message.to_owned(),
        waited,
    }
}

/// A server and two clients. The second client's message is late.
fn three_processes() -> Chart {
    let mut rows = vec![
        row(0, 12, RowKind::Starts { child: 1 }),
        row(0, 13, RowKind::Starts { child: 2 }),
        row(2, 20, sends(1, "{free,<0.2>}")),
        row(0, 20, sends(1, "{free,<0>}")),
        row(1, 30, takes(2, "{free,<0.2>}", true)),
        row(1, 31, sends(2, "{free,\"日本語\"}")),
        row(1, 30, takes(0, "{free,<0>}", false)),
        row(2, 21, RowKind::TimesOut),
        row(2, 22, RowKind::Calls("ets:insert/2".to_owned())),
        row(2, 0, RowKind::Ends(None)),
        row(1, 44, RowKind::Crashes("error: function_clause".to_owned())),
        row(0, 21, RowKind::Waits),
    ];
    rows[2].is_racing = true;
    rows[3].is_racing = true;
    Chart {
        lanes: vec![
            lane("0", "tickets:evening/2"),
            lane("0.1", "fun in tickets:open/1"),
            lane("0.2", "fun in tickets:evening/2"),
        ],
        rows,
        unread: vec![UnreadMail {
            from: 1,
            to: 2,
            message: "{free,\"日本語\"}".to_owned(),
        }],
        left_out: 1,
        is_cut: false,
    }
}

#[track_caller]
fn check_width(text: &str) {
    for line in text.lines() {
        assert!(line.width() <= 100, "{line}");
        assert_eq!(line, line.trim_end());
    }
}

#[test]
fn each_process_has_a_column() {
    let text = chart_text(&three_processes());
    check_width(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn a_message_that_takes_its_time_is_dotted_until_it_arrives() {
    let mut chart = three_processes();
    chart.rows.truncate(2);
    let message = "hi".to_owned();
    let posts = RowKind::Sends {
        to: 0,
        message: message.clone(),
        arrives: false,
    };
    chart.rows.push(row(2, 20, posts));
    chart
        .rows
        .push(row(2, 20, RowKind::Delivers { to: 0, message }));
    let text = chart_text(&chart);
    assert!(text.contains("|<......................|"), "{text}");
    assert!(text.contains("|<----------------------|"), "{text}");
    assert!(text.contains("reaches 0: hi"), "{text}");
}

#[test]
fn a_long_chart_says_what_is_left_out() {
    let mut chart = three_processes();
    let busy = row(1, 31, RowKind::Calls("ets:lookup/2".to_owned()));
    let at = chart.rows.len() - 2;
    let many = std::iter::repeat_n(busy, 100);
    chart.rows.splice(at..at, many);
    let text = chart_text(&chart);
    check_width(&text);
    assert!(text.lines().count() < 50, "{text}");
    assert!(text.contains("... 92 steps of 0.1 and 0.2 ..."), "{text}");
    for kept in [
        "* ",
        "crashes: error: function_clause",
        "waits for a message",
    ] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    // What is shown and what is left out is all of it.
    let shown = text.matches("tickets.erl:").count() + text.matches("  ends").count();
    assert_eq!(shown + 92, chart.rows.len(), "{text}");
}

#[test]
fn many_processes_share_a_column() {
    let mut chart = Chart::default();
    for number in 0..40 {
        let path = if number == 0 {
            "0".to_owned()
        } else {
            format!("0.{number}")
        };
        chart.lanes.push(lane(&path, "m:f/0"));
    }
    for child in 1..40 {
        chart.rows.push(row(0, 7, RowKind::Starts { child }));
    }
    let message = "é".repeat(300);
    chart.rows.push(row(38, 9, sends(39, &message)));
    let text = chart_text(&chart);
    check_width(&text);
    assert!(text.contains("others: 31 more processes"), "{text}");
    assert!(text.contains("0.38 to 0.39: é"), "{text}");
    let last = text.lines().last().unwrap_or_default();
    assert!(last.ends_with("é..."), "{last}");
}

#[test]
fn messages_cannot_command_the_terminal() {
    let mut chart = three_processes();
    chart.rows.push(row(0, 9, sends(1, "\u{1b}[2J\n")));
    let text = chart_text(&chart);
    assert!(text.contains("\\x{1b}[2J\\x{a}"), "{text}");
}

#[test]
fn json_names_processes_by_their_paths() {
    let json = chart_json(&three_processes());
    assert_eq!(
        json["rows"][2],
        serde_json::json!({
            "process": "0.2", "what": "send", "to": "0.1", "message": "{free,<0.2>}",
            "file": "src/tickets.erl", "line": 20, "racing": true,
            "arrives": true,
        })
    );
    assert_eq!(json["rows"][9]["line"], serde_json::Value::Null);
    assert_eq!(json["unread"][0]["to"], "0.2");
    assert_eq!(json["processes"][1]["entry"], "fun in tickets:open/1");
    assert_eq!(json["cut"], false);
}
