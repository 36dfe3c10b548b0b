//! Plots as SVG: panels with curves that go up in steps. They are readable on a light and on a
//! dark page, and without colours.

use std::fmt::Write as _;

/// A panel.
#[derive(Debug)]
pub struct Plot {
    /// Its heading.
    pub title: String,
    /// The end of the horizontal axis.
    pub width: f64,
    /// The end of the vertical axis.
    pub height: f64,
    /// What it shows, in the same order in all panels.
    pub curves: Vec<Curve>,
}

/// A line that goes up in steps.
#[derive(Debug)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// The corners, from left to right: from this place on it has this height.
    pub steps: Vec<(f64, f64)>,
    /// Where it ends.
    pub end: f64,
}

/// Panels side by side.
const COLUMNS: usize = 2;
/// Sizes in pixels: a panel, the axes in it, and the space around those.
const PANEL: (f64, f64) = (400.0, 270.0);
const AXES: (f64, f64) = (320.0, 190.0);
const CORNER: (f64, f64) = (56.0, 34.0);
const LEGEND: f64 = 40.0;
/// How many parts an axis has at most.
const TICKS: f64 = 6.0;

const STYLE: &str = "\
  svg { background: #ffffff; color: #24292f; font: 12px sans-serif }
  text { fill: currentColor }
  .title { font-weight: bold }
  .axis { stroke: currentColor; fill: none }
  .grid { stroke: currentColor; opacity: 0.15 }
  .curve { fill: none; stroke-width: 2 }
  .curve0 { stroke: #0969da }
  .curve1 { stroke: #cf222e; stroke-dasharray: 7 3 }
  .curve2 { stroke: #1a7f37; stroke-dasharray: 2 3 }
  .curve3 { stroke: #9a6700; stroke-dasharray: 9 3 2 3 }
  .curve4 { stroke: #8250df; stroke-dasharray: 12 3 }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; color: #e6edf3 }
    .curve0 { stroke: #58a6ff } .curve1 { stroke: #ff7b72 }
    .curve2 { stroke: #3fb950 } .curve3 { stroke: #d29922 }
    .curve4 { stroke: #bc8cff }
  }
";

impl Plot {
    /// Several panels in one picture, with a legend and the names of both axes.
    pub fn svg(panels: &[Self], across: &str, up: &str) -> String {
        let rows = panels.len().div_ceil(COLUMNS);
        let width = PANEL.0 * COLUMNS as f64;
        let height = LEGEND + PANEL.1 * rows as f64;
        let mut svg = String::new();
        push(
            &mut svg,
            format_args!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
                 width=\"{width}\" height=\"{height}\" role=\"img\">\n\
                 <title>{} over {}</title>\n<style>\n{STYLE}</style>\n",
                escaped(up),
                escaped(across)
            ),
        );
        if let Some(first) = panels.first() {
            first.legend(&mut svg);
        }
        for (number, panel) in panels.iter().enumerate() {
            let x = PANEL.0 * (number % COLUMNS) as f64 + CORNER.0;
            let y = LEGEND + PANEL.1 * (number / COLUMNS) as f64 + CORNER.1;
            push(
                &mut svg,
                format_args!("<g transform=\"translate({x} {y})\">\n"),
            );
            panel.axes(&mut svg, across, up);
            for (number, curve) in panel.curves.iter().enumerate() {
                panel.curve(&mut svg, number, curve);
            }
            svg.push_str("</g>\n");
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn legend(&self, svg: &mut String) {
        for (number, curve) in self.curves.iter().enumerate() {
            let x = CORNER.0 + 130.0 * number as f64;
            let (end, text) = (x + 30.0, x + 36.0);
            push(
                svg,
                format_args!(
                    "<path class=\"curve curve{number}\" d=\"M{x} 20H{end}\"/>\
                     <text x=\"{text}\" y=\"24\">{}</text>\n",
                    escaped(&curve.name)
                ),
            );
        }
    }

    fn axes(&self, svg: &mut String, across: &str, up: &str) {
        let (width, height) = AXES;
        let title = escaped(&self.title);
        push(
            svg,
            format_args!("<text class=\"title\" x=\"0\" y=\"-10\">{title}</text>\n"),
        );
        for tick in ticks(self.height) {
            let y = height * (1.0 - tick / self.height.max(1.0));
            let text = y + 4.0;
            push(
                svg,
                format_args!(
                    "<path class=\"grid\" d=\"M0 {y:.1}H{width}\"/>\
                     <text x=\"-6\" y=\"{text:.1}\" text-anchor=\"end\">{tick}</text>\n"
                ),
            );
        }
        for tick in ticks(self.width) {
            let x = width * tick / self.width.max(1.0);
            let text = height + 16.0;
            push(
                svg,
                format_args!(
                    "<path class=\"grid\" d=\"M{x:.1} 0V{height}\"/>\
                     <text x=\"{x:.1}\" y=\"{text}\" text-anchor=\"middle\">{tick}</text>\n"
                ),
            );
        }
        push(
            svg,
            format_args!(
                "<path class=\"axis\" d=\"M0 0V{height}H{width}\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
                 <text transform=\"translate(-40 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                width / 2.0,
                height + 32.0,
                escaped(across),
                height / 2.0,
                escaped(up)
            ),
        );
    }

    fn curve(&self, svg: &mut String, number: usize, curve: &Curve) {
        let x = |at: f64| AXES.0 * at / self.width.max(1.0);
        let y = |at: f64| AXES.1 * (1.0 - at / self.height.max(1.0));
        let mut path = format!("M0 {}", AXES.1);
        for (at, value) in &curve.steps {
            push(&mut path, format_args!("H{:.1}V{:.1}", x(*at), y(*value)));
        }
        push(&mut path, format_args!("H{:.1}", x(curve.end)));
        push(
            svg,
            format_args!("<path class=\"curve curve{number}\" d=\"{path}\"/>\n"),
        );
    }
}

/// Round numbers from 0 up to a largest one.
fn ticks(largest: f64) -> impl Iterator<Item = f64> {
    let steps = (0..6).flat_map(|power| [1.0, 2.0, 5.0].map(|it| it * 10_f64.powi(power)));
    let mut fitting = steps.filter(move |step| largest / step <= TICKS);
    let step = fitting.next().unwrap_or(largest.max(1.0));
    (0_u32..)
        .map(move |number| f64::from(number) * step)
        .take_while(move |tick| *tick <= largest)
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a string can be written");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
