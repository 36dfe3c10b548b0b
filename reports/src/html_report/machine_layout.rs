//! Where states and arrows of a machine are drawn. `dagre` decides.

use dagre::graph::{Graph, GraphOptions};
use dagre::layout::types::LabelPos;
use dagre::{Acyclicer, EdgeLabel, LayoutOptions, NodeLabel, layout};

/// A place, or a size.
pub(super) type Pair = (f64, f64);

/// The space around the drawing.
const MARGIN: f64 = 12.0;

/// With more arrows, the first box need not be at the top: the drawing would be high and slow to make.
const MOST_FROM_TOP: usize = 100;

/// An arrow to draw.
#[derive(Debug)]
pub(super) struct PlannedArrow {
    /// The numbers of the boxes.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The size of its label.
    pub(super) label: Pair,
}

/// Where things are. Places of boxes and labels are their middles.
#[derive(Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) size: Pair,
    pub(super) boxes: Vec<Pair>,
    pub(super) arrows: Vec<PlacedArrow>,
}

/// Where an arrow is.
#[derive(Debug, PartialEq)]
pub(super) struct PlacedArrow {
    pub(super) points: Vec<Pair>,
    pub(super) label: Pair,
}

/// Finds places for boxes of these sizes and the arrows between them, which connect all of them. There
/// is at most one arrow from one box to another one. The first box is at the top, if there are few
/// arrows.
pub(super) fn placed(boxes: &[Pair], arrows: &[PlannedArrow]) -> Placed {
    let mut graph = graph(boxes, arrows);
    let options = LayoutOptions {
        acyclicer: (arrows.len() > MOST_FROM_TOP).then_some(Acyclicer::Greedy),
        nodesep: 28.0,
        edgesep: 14.0,
        ranksep: 36.0,
        ..LayoutOptions::default()
    };
    layout(&mut graph, Some(options));
    let mut area = Area::default();
    let mut place = |at: Pair, size: Pair| {
        area.add((at.0 - size.0 / 2.0, at.1 - size.1 / 2.0));
        area.add((at.0 + size.0 / 2.0, at.1 + size.1 / 2.0));
        at
    };
    let middle = |x: Option<f64>, y: Option<f64>| (x.unwrap_or(0.0), y.unwrap_or(0.0));
    let boxes = boxes.iter().enumerate().map(|(number, size)| {
        let node = graph.node(&number.to_string());
        place(node.map_or((0.0, 0.0), |it| middle(it.x, it.y)), *size)
    });
    let boxes: Vec<Pair> = boxes.collect();
    let arrows = arrows.iter().map(|arrow| {
        let (from, to) = (arrow.from.to_string(), arrow.to.to_string());
        let edge = graph.edge(&from, &to, None);
        let points = edge.into_iter().flat_map(|it| &it.points);
        PlacedArrow {
            points: points.map(|it| place((it.x, it.y), (0.0, 0.0))).collect(),
            label: place(
                edge.map_or((0.0, 0.0), |it| middle(it.x, it.y)),
                arrow.label,
            ),
        }
    });
    let arrows: Vec<PlacedArrow> = arrows.collect();
    area.moved(boxes, arrows)
}

fn graph(boxes: &[Pair], arrows: &[PlannedArrow]) -> Graph<NodeLabel, EdgeLabel> {
    let mut graph = Graph::with_options(GraphOptions {
        directed: true,
        // An arrow that is turned around for a while may be beside another one.
        multigraph: true,
        compound: false,
    });
    for (number, (width, height)) in boxes.iter().enumerate() {
        let label = NodeLabel {
            width: *width,
            height: *height,
            ..NodeLabel::default()
        };
        graph.set_node(number.to_string(), Some(label));
    }
    for arrow in arrows {
        let label = EdgeLabel {
            width: arrow.label.0,
            height: arrow.label.1,
            labelpos: LabelPos::Center,
            ..EdgeLabel::default()
        };
        let (from, to) = (arrow.from.to_string(), arrow.to.to_string());
        graph.set_edge(from, to, Some(label), None);
    }
    graph
}

/// The corners of what is drawn.
#[derive(Default)]
struct Area {
    corners: Option<(Pair, Pair)>,
}

impl Area {
    fn add(&mut self, point: Pair) {
        let (least, most) = self.corners.unwrap_or((point, point));
        let least = (least.0.min(point.0), least.1.min(point.1));
        let most = (most.0.max(point.0), most.1.max(point.1));
        self.corners = Some((least, most));
    }

    /// Everything at places that begin with the margin.
    fn moved(&self, mut boxes: Vec<Pair>, mut arrows: Vec<PlacedArrow>) -> Placed {
        let (least, most) = self.corners.unwrap_or_default();
        let by = (MARGIN - least.0, MARGIN - least.1);
        let labels = arrows.iter_mut();
        let places = labels.flat_map(|it| it.points.iter_mut().chain([&mut it.label]));
        for place in boxes.iter_mut().chain(places) {
            *place = (place.0 + by.0, place.1 + by.1);
        }
        Placed {
            size: (most.0 + by.0 + MARGIN, most.1 + by.1 + MARGIN),
            boxes,
            arrows,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn overlap(one: (Pair, Pair), other: (Pair, Pair)) -> bool {
        let near = |a: f64, b: f64, sizes: f64| (a - b).abs() < sizes / 2.0 - 0.01;
        let ((one, own), (other, size)) = (one, other);
        near(one.0, other.0, own.0 + size.0) && near(one.1, other.1, own.1 + size.1)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Every connected graph has a drawing, in which no box or label covers another one, and it is the
        /// same each time.
        #[test]
        fn boxes_and_labels_have_places_of_their_own(
            widths in prop::collection::vec(10.0..200.0_f64, 1..9),
            pairs in prop::collection::hash_set((0..9_usize, 0..9_usize), 0..20),
        ) {
            let boxes: Vec<Pair> = widths.iter().map(|it| (*it, 34.0)).collect();
            let connected = (1..boxes.len()).map(|it| (it / 2, it));
            let mut pairs: Vec<_> = pairs.into_iter().chain(connected).collect();
            pairs.retain(|it| it.0 < boxes.len() && it.1 < boxes.len());
            pairs.sort_unstable();
            pairs.dedup();
            let planned = pairs.iter().enumerate().map(|(number, it)| PlannedArrow {
                from: it.0,
                to: it.1,
                label: (60.0 + number as f64, 18.0 * (1 + number % 4) as f64),
            });
            let planned: Vec<_> = planned.collect();
            let found = placed(&boxes, &planned);
            prop_assert!(found.boxes.iter().skip(1).all(|it| it.1 > found.boxes[0].1));
            prop_assert!(found == placed(&boxes, &planned));
            let labels = found.arrows.iter().zip(&planned).map(|(it, plan)| (it.label, plan.label));
            let all: Vec<_> = found.boxes.iter().copied().zip(boxes).chain(labels).collect();
            for (number, one) in all.iter().enumerate() {
                let (at, size) = *one;
                prop_assert!(at.0 - size.0 / 2.0 >= MARGIN - 0.01 && at.1 - size.1 / 2.0 >= MARGIN - 0.01);
                prop_assert!(at.0 + size.0 / 2.0 <= found.size.0 && at.1 + size.1 / 2.0 <= found.size.1);
                for other in all.iter().skip(number + 1) {
                    prop_assert!(!overlap(*one, *other), "{one:?} {other:?}");
                }
            }
            for arrow in &found.arrows {
                prop_assert!(arrow.points.len() >= 2);
                prop_assert!(arrow.points.iter().all(|it| it.0.is_finite() && it.1.is_finite()));
            }
        }
    }
}
