//! The counters of several searches.

use serde_json::{Map, Value, json};

/// The sums of counters. The peak memory is that of the search that needed most.
pub(super) fn sum_of_statistics(reports: &[&Value]) -> Value {
    const PEAK: &str = "peak_rss_kb";
    let all = reports.iter().filter_map(|it| it.get("stats"));
    let mut sum = sum(all.clone());
    let peaks = all.filter_map(|it| it.get(PEAK)?.as_u64());
    sum[PEAK] = json!(peaks.max());
    sum
}

/// The sums of the numbers in objects.
pub(super) fn sum<'objects>(objects: impl Iterator<Item = &'objects Value>) -> Value {
    let mut sums: Map<String, Value> = Map::new();
    for (key, value) in objects.filter_map(Value::as_object).flatten() {
        let before = sums.get(key).and_then(Value::as_u64).unwrap_or(0);
        let sum = before + value.as_u64().unwrap_or(0);
        sums.insert(key.clone(), json!(sum));
    }
    Value::Object(sums)
}
