import type { api } from '@opentelemetry/sdk-node'
import { log } from '@/lib/base/log/log'
import { within } from '@/lib/base/process/within'
import type { MetricDefinition, Reading, Source } from './define-metric'
import type { Labels, Recorder } from './telemetry'

/** Whoever asks for metrics does not wait longer for one part of them, in milliseconds. */
const readingMs = 2_000

/**
 * Makes the instruments of metrics.
 * @param meters one for each way out
 * @param definitions what is measured
 * @param sources where values come from that are read when somebody asks
 */
export function recordMetrics(
  meters: readonly api.Meter[],
  definitions: readonly MetricDefinition[],
  sources: readonly Source[],
): Recorder['measure'] {
  const instruments = new Map<string, ((value: number, labels: api.Attributes) => void)[]>()
  const reads = sources.map(keepReadings)
  for (const meter of meters) {
    const observed = new Map<string, api.Observable>()
    for (const definition of definitions) {
      const { name } = definition
      const made = makeInstrument(meter, definition)
      if (typeof made === 'function') instruments.set(name, [...(instruments.get(name) ?? []), made])
      else observed.set(name, made)
    }
    meter.addBatchObservableCallback(
      async (result) => {
        const readings = await Promise.all(reads.map((read) => read()))
        for (const { name, value, labels } of readings.flat())
          result.observe(observed.get(name) as api.Observable, value, said(labels))
      },
      [...observed.values()],
    )
  }
  return (metric, value, labels) => {
    for (const record of instruments.get(metric) ?? []) record(value, said(labels))
  }
}

function makeInstrument(
  meter: api.Meter,
  { kind, name, unit, about: description, buckets }: MetricDefinition,
) {
  const options = { unit, description }
  switch (kind) {
    case 'counter': {
      const instrument = meter.createCounter(name, options)
      return (value: number, labels: api.Attributes) => instrument.add(value, labels)
    }
    case 'upDownCounter': {
      const instrument = meter.createUpDownCounter(name, options)
      return (value: number, labels: api.Attributes) => instrument.add(value, labels)
    }
    case 'histogram': {
      const advice = { explicitBucketBoundaries: [...(buckets ?? [])] }
      const instrument = meter.createHistogram(name, { ...options, advice })
      return (value: number, labels: api.Attributes) => instrument.record(value, labels)
    }
    case 'gauge':
      return meter.createObservableGauge(name, options)
    case 'observedCounter':
      return meter.createObservableCounter(name, options)
  }
}

/** Labels that have a value. */
function said(labels: Labels): api.Attributes {
  const values: api.Attributes = {}
  for (const name in labels) if (labels[name] !== undefined) values[name] = labels[name]
  return values
}

/** Reads a source no more often than it allows. What cannot be read is left out, so that nobody takes an old value for a new one. */
function keepReadings({ name, keepMs, read }: Source): () => Promise<readonly Reading[]> {
  let kept: { at: number; readings: Promise<readonly Reading[]> } | undefined
  return () => {
    const now = performance.now()
    if (kept && now - kept.at < keepMs) return kept.readings
    const readings = within(readingMs, (async () => read())()).catch((error) => {
      log.warn('a metric could not be read', { name, error })
      return []
    })
    kept = { at: now, readings }
    return readings
  }
}
