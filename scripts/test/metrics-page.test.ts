import { describe, expect, it } from 'vitest'
import { definedMetrics, type MetricDefinition } from '@/lib/base/telemetry/metrics'
import { nameInText } from '@/lib/base/telemetry/start-telemetry'
import { documentedMetrics, files, labelsIn, metricsIn, unknownMetrics } from '@/lib/testing/metric-names'
import { read } from './sources'

const inText = (name: string) => name.replaceAll('.', '_')

const types: Record<MetricDefinition['kind'], string> = {
  counter: 'counter',
  observedCounter: 'counter',
  upDownCounter: 'gauge',
  gauge: 'gauge',
  histogram: 'histogram',
}

const rowOf = (definition: MetricDefinition) => {
  const { kind, labels, about } = definition
  const total = types[kind] === 'counter' ? '_total' : ''
  const said = labels.map((label) => `\`${inText(label)}\``).join(', ')
  return `| \`${nameInText(definition)}${total}\` | ${types[kind]} | ${said} | ${about} |`
}

const page = read('docs/operate/metrics.md')

it('the metrics page documents every metric with its type, labels, and description', () => {
  const missing = definedMetrics()
    .map(rowOf)
    .filter((row) => !page.includes(row))
  expect(missing).toEqual([])
})

describe.each(files)('the file %s', (file) => {
  const source = read(file)

  it('uses existing metrics and labels', () => {
    const known = documentedMetrics(page)
    expect(unknownMetrics(metricsIn(source), known)).toEqual([])
    const labels = new Set([...known.values()].flat())
    expect(labelsIn(source).filter((name) => !labels.has(name))).toEqual([])
  })
})

it('the metrics page documents a response to every alert', () => {
  const rules = read('deploy/prometheus/latchkey.rules.yml')
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => String(name))
  expect(alerts.length).toBeGreaterThan(5)
  for (const alert of alerts) {
    expect(rules).toContain(`runbook: docs/operate/metrics.md#${alert.toLowerCase()}`)
    expect(page).toContain(`\n### ${alert}\n`)
  }
})
