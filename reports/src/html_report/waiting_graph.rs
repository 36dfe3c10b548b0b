//! Who waits for whom, as a small graph. Processes that wait for each other in a circle are seen as
//! a circle.

use std::f64::consts::TAU;
use std::fmt::Write;

use super::escaping::escape;
use crate::chart::{Chart, WaitReason, waits_for};

/// Larger graphs are only listed.
const MOST_NODES: usize = 16;

/// The radius of a process.
const RADIUS: f64 = 20.0;

/// How far arrows are beside the line between two processes, so that two arrows between them are
/// apart.
const BESIDE: f64 = 5.0;

/// The graph and its reasons, if the process of the function waits.
pub(super) fn waiting_graph(out: &mut String, chart: &Chart) {
    let reasons = waits_for(chart);
    if !reasons.iter().any(|it| it.waiter == 0) {
        return;
    }
    out.push_str("<h4 class=\"part\">Who waits for whom</h4><div class=\"waiting\">");
    let graph = WaitingGraph::new(&reasons);
    if graph.nodes.len() <= MOST_NODES {
        graph.draw(out, chart);
    }
    out.push_str("<ul>");
    for reason in &reasons {
        let waiter = escape(chart.path(reason.waiter));
        // Writing to a string cannot fail.
        let _ = match reason.to {
            Some(to) => write!(
                out,
                "<li><code>{waiter}</code> sent its last message, <code>{}</code>, to \
                 <code>{}</code></li>",
                escape(&reason.message),
                escape(chart.path(to))
            ),
            None => write!(out, "<li><code>{waiter}</code> sent no message</li>"),
        };
    }
    out.push_str("</ul></div>");
    out.push_str(
        "<p class=\"hint\">An arrow leads from a process that waits to the one that got its last \
         message.</p>",
    );
}

/// Processes on a circle.
struct WaitingGraph<'run> {
    nodes: Vec<usize>,
    reasons: &'run [WaitReason],
}

impl<'run> WaitingGraph<'run> {
    /// Those that wait for each other are next to each other.
    fn new(reasons: &'run [WaitReason]) -> Self {
        let mut nodes: Vec<usize> = Vec::new();
        for reason in reasons {
            let mut next = Some(reason.waiter);
            while let Some(lane) = next.filter(|it| !nodes.contains(it)) {
                nodes.push(lane);
                next = target(reasons, lane);
            }
        }
        Self { nodes, reasons }
    }

    fn size(&self) -> f64 {
        let around = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        160.0 + 16.0 * f64::from(around)
    }

    fn place(&self, lane: usize) -> (f64, f64) {
        let position = |it: usize| f64::from(u32::try_from(it).unwrap_or(u32::MAX));
        let at = self.nodes.iter().position(|it| *it == lane).unwrap_or(0);
        let angle = TAU * position(at) / position(self.nodes.len().max(1)) - TAU / 4.0;
        let middle = self.size() / 2.0;
        let distance = middle - RADIUS - 4.0;
        (
            middle + distance * angle.cos(),
            middle + distance * angle.sin(),
        )
    }

    fn draw(&self, out: &mut String, chart: &Chart) {
        let size = self.size();
        let _ = write!(
            out,
            "<svg width=\"{size:.0}\" height=\"{size:.0}\" role=\"img\" \
             aria-label=\"Who waits for whom\">"
        );
        for reason in self.reasons {
            if let Some(to) = reason.to {
                let is_round = is_in_circle(self.reasons, reason.waiter);
                let class = if is_round { "arrow round" } else { "arrow" };
                arrow(out, class, self.place(reason.waiter), self.place(to));
            }
        }
        for lane in &self.nodes {
            let (x, y) = self.place(*lane);
            let waits = self.reasons.iter().any(|it| it.waiter == *lane);
            let class = if waits { "process waits" } else { "process" };
            let _ = write!(
                out,
                "<circle class=\"{class}\" cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{RADIUS:.0}\"/>\
                 <text x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
                y + 5.0,
                escape(chart.path(*lane))
            );
        }
        out.push_str("</svg>");
    }
}

fn arrow(out: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = x.hypot(y).max(1.0);
    let (x, y) = (x / length, y / length);
    let point = |base: (f64, f64), along: f64, beside: f64| {
        (
            base.0 + x * along - y * beside,
            base.1 + y * along + x * beside,
        )
    };
    let start = point(from, RADIUS, BESIDE);
    let end = point(to, -RADIUS - 8.0, BESIDE);
    let tip = point(to, -RADIUS, BESIDE);
    let (left, right) = (
        point(to, -RADIUS - 9.0, BESIDE - 5.0),
        point(to, -RADIUS - 9.0, BESIDE + 5.0),
    );
    let _ = write!(
        out,
        "<path class=\"{class}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>\
         <path class=\"head\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\"/>",
        start.0, start.1, end.0, end.1, tip.0, tip.1, left.0, left.1, right.0, right.1
    );
}

fn target(reasons: &[WaitReason], lane: usize) -> Option<usize> {
    reasons.iter().find(|it| it.waiter == lane)?.to
}

/// Whether the arrows from a process lead back to it.
fn is_in_circle(reasons: &[WaitReason], lane: usize) -> bool {
    let mut at = lane;
    for _ in 0..reasons.len() {
        match target(reasons, at) {
            Some(next) if next == lane => return true,
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{ChartRow, Lane, RowKind};

    fn row(lane: usize, kind: RowKind) -> ChartRow {
        ChartRow {
            lane,
            kind,
            place: None,
            is_racing: false,
        }
    }

    fn sends(lane: usize, to: usize) -> ChartRow {
        let kind = RowKind::Sends {
            to,
            message: "<lock>".to_owned(),
            arrives: true,
        };
        row(lane, kind)
    }

    fn graph(sent: &[(usize, usize)], waiting: &[usize]) -> String {
        let lanes = (0..4).map(|it| Lane {
            path: format!("0.{it}"),
            entry: "m:f/0".to_owned(),
        });
        let rows = sent.iter().map(|it| sends(it.0, it.1));
        let rows = rows.chain(waiting.iter().map(|it| row(*it, RowKind::Waits)));
        let chart = Chart {
            lanes: lanes.collect(),
            rows: rows.collect(),
            ..Chart::default()
        };
        let mut out = String::new();
        waiting_graph(&mut out, &chart);
        out
    }

    #[test]
    fn processes_that_wait_for_each_other_are_a_circle() {
        let sent = [(1, 3), (0, 1), (1, 2), (2, 0), (3, 1)];
        let page = graph(&sent, &[0, 1, 2, 3]);
        assert_eq!(page.matches("arrow round").count(), 3, "{page}");
        assert_eq!(page.matches("class=\"arrow\"").count(), 1, "{page}");
        assert_eq!(page.matches("<circle").count(), 4, "{page}");
        assert!(page.contains("&lt;lock&gt;"), "{page}");
    }

    #[test]
    fn a_process_that_sent_nothing_has_no_arrow() {
        let page = graph(&[(1, 0)], &[0]);
        assert!(page.contains("sent no message") && !page.contains("arrow\""));
        assert_eq!(graph(&[(1, 0)], &[1]), "");
    }
}
