/** The Prometheus and Grafana files that use metrics. */
export const files = ['deploy/prometheus/latchkey.rules.yml', 'deploy/grafana/latchkey.json']

/**
 * Labels that docs/operate/metrics.md does not list: labels that Prometheus adds, the label of histogram
 * buckets, and a label of `target_info`.
 */
const own = ['job', 'instance', 'le', 'alertname', 'service_version']

/**
 * Returns the metrics in the text of docs/operate/metrics.md with their labels. Adds `up` and `target_info`.
 */
export function documentedMetrics(page: string): Map<string, string[]> {
  const rows = [...page.matchAll(/^\| `([a-z]\w+)` \| (?:counter|gauge|histogram) \| (.*?) \|/gm)]
  const known = rows.map(([, name, labels]): [string, string[]] => [
    String(name),
    [...String(labels).matchAll(/`(\w+)`/g)].map(([, label]) => String(label)),
  ])
  return new Map([...known, ['up', own], ['target_info', own]])
}

/**
 * Returns the names that do not belong to any known metric. A histogram has several names, which end in
 * `_bucket`, `_count`, and `_sum`.
 */
export const unknownMetrics = (
  names: readonly string[],
  known: { has: (name: string) => boolean },
): string[] =>
  names.filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|count|sum)$/, '')))

/** Returns the PromQL expressions in the text of a rules file or dashboard. */
const expressions = (source: string): string[] =>
  source.trimStart().startsWith('{')
    ? [...source.matchAll(/"(?:expr|query)": "((?:[^"\\]|\\.)*)"/g)].map(([, text]) =>
        String(text).replaceAll('\\"', '"'),
      )
    : [...source.matchAll(/expr: (?:\|\n((?: {10,}.*\n)+)|(.*))/g)].map(([, block, line]) =>
        String(block ?? line),
      )

/** Returns the sorted names of the metrics that a rules file or dashboard uses. */
export function metricsIn(source: string): string[] {
  const names = expressions(source).flatMap((text) => [
    ...[...text.matchAll(/\b([a-z]\w*)\{/g)].map(([, name]) => String(name)),
    ...[...text.matchAll(/label_values\((\w+)/g)].map(([, name]) => String(name)),
  ])
  return [...new Set(names)].sort()
}

/** Returns the sorted labels by which a rules file or dashboard selects or groups metrics. */
export function labelsIn(source: string): string[] {
  const names = expressions(source).flatMap((text) => [
    ...[...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside]) =>
      [...String(inside).matchAll(/(\w+)\s*(?:=~|!=|=|!~)/g)].map(([, label]) => String(label)),
    ),
    ...[...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inside]) => String(inside).split(/,\s*/)),
  ])
  return [...new Set(names)].sort()
}
