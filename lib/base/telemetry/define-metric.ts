import { type Labels, measure, recorder } from './telemetry'

/** How a metric behaves: it counts, it tells how long things took, or it is read when somebody asks. */
type MetricKind = 'counter' | 'upDownCounter' | 'histogram' | 'gauge' | 'observedCounter'

/** A metric as OpenTelemetry names it. */
export type MetricDefinition = {
  kind: MetricKind
  name: string
  /** As UCUM has it: `s`, `By`; what is counted stands in braces, which no name shows. */
  unit: string
  /** A sentence for the operator. */
  about: string
  labels: readonly string[]
  /** Where the buckets of a histogram end, in its unit. */
  buckets?: readonly number[]
}

type Values<Label extends string> = Labels & Readonly<Record<Label, string | number | undefined>>

const definitions: MetricDefinition[] = []

/** Every metric of the product. */
export const definedMetrics = (): readonly MetricDefinition[] => definitions

function define(definition: MetricDefinition): MetricDefinition {
  definitions.push(definition)
  return definition
}

/** Something that is counted as it happens. @param labels what each count says; undefined values are left out */
export function counter<Label extends string>(
  name: string,
  unit: string,
  about: string,
  labels: readonly Label[],
) {
  const definition = define({ kind: 'counter', name, unit, about, labels })
  return { ...definition, add: (values: Values<Label>) => measure(name, 1, values) }
}

/** How much of something there is now, counted up and down. */
export function upDownCounter<Label extends string>(
  name: string,
  unit: string,
  about: string,
  labels: readonly Label[],
) {
  const definition = define({ kind: 'upDownCounter', name, unit, about, labels })
  return {
    ...definition,
    add: (value: 1 | -1, values: Values<Label>) => recorder()?.measure(name, value, values),
  }
}

/** How long something took, in seconds. */
export function duration<Label extends string>(
  name: string,
  about: string,
  labels: readonly Label[],
  buckets: readonly number[],
) {
  const definition = define({ kind: 'histogram', name, unit: 's', about, labels, buckets })
  return {
    ...definition,
    record: (seconds: number, values: Values<Label>) => measure(name, seconds, values),
  }
}

/** What is read when somebody asks for it. @returns makes a reading of it */
export function gauge<Label extends string>(
  name: string,
  unit: string,
  about: string,
  labels: readonly Label[] = [],
  kind: 'gauge' | 'observedCounter' = 'gauge',
) {
  const definition = define({ kind, name, unit, about, labels })
  return {
    ...definition,
    reading: (value: number, values: Values<Label>): Reading => ({ name, value, labels: values }),
  }
}

/** A value of a metric that is read when somebody asks. */
export type Reading = { name: string; value: number; labels: Labels }

/** Where such values come from. */
export type Source = {
  /** For the log. */
  name: string
  /** How old a reading may be that is shown again, in milliseconds: whoever asks often costs no more. */
  keepMs: number
  read: () => readonly Reading[] | Promise<readonly Reading[]>
}
