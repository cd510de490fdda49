import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Slot } from '@/lib/features/figures/read-figures'
import { ActivityCharts } from './activity-charts'

const slot = (values: Partial<Slot>): Slot => ({
  begins: new Date('2026-11-28T10:00:00Z'),
  signIns: 0,
  signInsRefused: 0,
  tokens: {},
  requests: 0,
  errors: 0,
  median: undefined,
  slow: undefined,
  waiting: undefined,
  ...values,
})

/** Returns the text of the chart with this label. */
function chartText(label: string, values: Partial<Slot>): string {
  const page = renderToStaticMarkup(<ActivityCharts slots={[slot(values)]} />)
  const chart = page.split('<figure').find((each) => each.includes(`>${label}<`)) as string
  return chart
    .replace(/^[^>]*>|<title.*<\/desc>/g, '')
    .replace(/<\/figure>.*/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}

it('a chart shows whole numbers without a decimal place', () => {
  expect(chartText('Jobs waiting', { waiting: 2 })).toContain('Jobs waiting 2 at most 2 1 0')
  expect(chartText('Jobs waiting', { waiting: 2.46 })).toContain('2.5 at most')
  expect(chartText('Latency, median', { median: 2_000 })).toContain('2 s at most')
})

it('a chart without data says so instead of showing a scale', () => {
  expect(chartText('Errors', {})).toContain('Errors 0 None in this period.')
  expect(chartText('Jobs waiting', { waiting: 0.04 })).toContain('Jobs waiting 0 None in this period.')
  expect(chartText('Jobs waiting', {})).toContain('Not measured in this period.')
})
