//! Leaves out processes that nobody controls and that do nothing that is seen.

use super::{Chart, RowKind};

/// The name of a process that nobody controls.
pub(super) const UNCONTROLLED: &str = "other";

/// The chart without the columns of such processes.
pub(super) fn without_idle_lanes(mut chart: Chart) -> Chart {
    let mut is_used = vec![false; chart.lanes.len()];
    for_each_lane(&mut chart, &mut |lane| {
        if let Some(slot) = is_used.get_mut(*lane) {
            *slot = true;
        }
    });
    let named = chart.lanes.iter().map(|it| it.path != UNCONTROLLED);
    let kept: Vec<bool> = named
        .zip(is_used)
        .map(|(named, used)| named || used)
        .collect();
    let before = |lane: usize| kept.iter().take(lane).filter(|it| **it).count();
    for_each_lane(&mut chart, &mut |lane| *lane = before(*lane));
    let mut kept = kept.iter();
    chart.lanes.retain(|_| kept.next() == Some(&true));
    chart
}

/// Shows all numbers of lanes in rows and messages.
fn for_each_lane(chart: &mut Chart, see: &mut dyn FnMut(&mut usize)) {
    for row in &mut chart.rows {
        see(&mut row.lane);
        match &mut row.kind {
            RowKind::Sends { to: lane, .. }
            | RowKind::Delivers { to: lane, .. }
            | RowKind::Starts { child: lane }
            | RowKind::Takes { from: lane, .. }
            | RowKind::IsEnded { by: lane } => see(lane),
            RowKind::TimesOut
            | RowKind::Calls(_)
            | RowKind::Ends(_)
            | RowKind::Crashes(_)
            | RowKind::Waits => {}
        }
    }
    for mail in &mut chart.unread {
        see(&mut mail.from);
        see(&mut mail.to);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ChartRow, Lane};
    use super::*;

    #[test]
    fn only_idle_processes_are_left_out() {
        let lane = |path: &str| Lane {
            path: path.to_owned(),
            entry: String::new(),
        };
        let chart = |to| Chart {
            lanes: ["0", UNCONTROLLED, "0.1"].map(lane).into(),
            rows: vec![ChartRow {
                lane: 0,
                kind: RowKind::Starts { child: to },
                place: None,
                is_racing: false,
            }],
            ..Chart::default()
        };
        let short = without_idle_lanes(chart(2));
        assert_eq!(short.lanes, ["0", "0.1"].map(lane));
        assert_eq!(short.rows[0].kind, RowKind::Starts { child: 1 });
        assert_eq!(without_idle_lanes(chart(1)), chart(1));
    }
}
