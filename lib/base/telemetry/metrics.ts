import { type Labels, measure, recorder } from './telemetry'

/**
 * The kind of a metric: a counter, a counter that can also decrease, a histogram of durations, or a gauge or
 * counter that is read on demand.
 */
type MetricKind = 'counter' | 'upDownCounter' | 'histogram' | 'gauge' | 'observedCounter'

/** A metric, described in OpenTelemetry's terms. */
export type MetricDefinition = {
  kind: MetricKind
  name: string
  /**
   * The unit in UCUM, such as `s` or `By`. The units of counts, such as `{request}`, are in braces. Such
   * units do not become part of the name in Prometheus.
   */
  unit: string
  /** A description for instance admins. */
  about: string
  labels: readonly string[]
  /** The upper bounds of a histogram's buckets, in the metric's unit. */
  buckets?: readonly number[]
}

type Values<Label extends string> = Labels & Readonly<Record<Label, string | number | undefined>>

const definitions: MetricDefinition[] = []

/** Returns all metrics of the product. */
export const definedMetrics = (): readonly MetricDefinition[] => definitions

function define(definition: MetricDefinition): MetricDefinition {
  definitions.push(definition)
  return definition
}

/**
 * Defines a counter. @param labels the names of the labels; a label whose value is undefined is omitted from
 * a count
 */
function counter<Label extends string>(name: string, unit: string, about: string, labels: readonly Label[]) {
  const definition = define({ kind: 'counter', name, unit, about, labels })
  return { ...definition, add: (values: Values<Label>) => measure(name, 1, values) }
}

/** Defines a counter that goes up and down. */
function upDownCounter<Label extends string>(
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

/** Defines a histogram of durations, in seconds. */
function duration<Label extends string>(
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

/**
 * Defines a gauge or counter that is read on demand. @returns the definition, with a function that creates a
 * reading
 */
function gauge<Label extends string>(
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

/** A value of a metric that is read on demand. */
export type Reading = { name: string; value: number; labels: Labels }

/** A source of readings. */
export type Source = {
  /** The source's name in the log. */
  name: string
  /** How long a reading is cached, in milliseconds, so that frequent scrapes cause no additional load. */
  keepMs: number
  read: () => readonly Reading[] | Promise<readonly Reading[]>
}

/**
 * All metrics. docs/operate/metrics.md documents the metrics, and a test compares the documentation with the
 * code. Names and labels follow OpenTelemetry's semantic conventions where such conventions exist. Label
 * values are fixed in the code (a route, an error code, a queue), so clients cannot add values. See ADR 0042.
 */

const answering = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const asking = [0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]
const working = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300]

export const requestDuration = duration(
  'http.server.request.duration',
  'Duration of HTTP requests.',
  ['http.request.method', 'http.route', 'http.response.status_code', 'error.type'],
  answering,
)

export const requestsActive = upDownCounter(
  'http.server.active_requests',
  '{request}',
  'HTTP requests in progress.',
  ['http.request.method'],
)

export const tokensIssued = counter(
  'latchkey.tokens.issued',
  '{answer}',
  'Token endpoint responses that contain an access token.',
  ['grant', 'app_type', 'app_source'],
)

export const signIns = counter('latchkey.sign_ins', '{sign_in}', 'Sign-in attempts by method and outcome.', [
  'method',
  'outcome',
])

export const refusals = counter('latchkey.refusals', '{refusal}', 'Rejected requests by error code.', [
  'edge',
  'code',
])

export const limitsReached = counter(
  'latchkey.limits.reached',
  '{request}',
  'Requests rejected by a rate limit.',
  ['limit'],
)

export const operationDuration = duration(
  'latchkey.graphql.operation.duration',
  'Duration of GraphQL operations.',
  ['graphql.operation.type', 'field', 'error.type'],
  answering,
)

export const statementDuration = duration(
  'db.client.operation.duration',
  'Duration of SQL statements.',
  ['db.query.summary', 'error.type'],
  asking,
)

export const connectionWait = duration(
  'db.client.connection.wait_time',
  'Time spent waiting for a connection from the pool.',
  ['db.client.connection.pool.name', 'error.type'],
  asking,
)

export const connections = gauge(
  'db.client.connection.count',
  '{connection}',
  'Open connections to PostgreSQL.',
  ['db.client.connection.pool.name', 'db.client.connection.state'],
)

export const connectionsMost = gauge(
  'db.client.connection.max',
  '{connection}',
  'Maximum number of connections in the pool.',
  ['db.client.connection.pool.name'],
)

export const connectionsPending = gauge(
  'db.client.connection.pending_requests',
  '{request}',
  'Operations waiting for a connection.',
  ['db.client.connection.pool.name'],
)

export const usedTokensApart = gauge(
  'latchkey.used_tokens.apart',
  '',
  '1 if used refresh tokens are stored in weekly tables that can be dropped, 0 if they stay in the main table.',
)

export const callDuration = duration(
  'http.client.request.duration',
  'Duration of outgoing calls: webhooks, sign-out notifications, audit streams, identity providers, and the logos, metadata documents, domains, and keys of apps.',
  ['purpose', 'http.request.method', 'http.response.status_code', 'error.type'],
  answering,
)

export const mails = counter(
  'latchkey.mails',
  '{mail}',
  'Emails by outcome: sent, refused by the mail server, or given up after retries.',
  ['outcome'],
)

export const jobDuration = duration(
  'latchkey.jobs.duration',
  'Duration of background jobs. A message that a webhook or app rejects does not count as a failed job.',
  ['queue', 'outcome'],
  working,
)

export const jobsWaiting = gauge('latchkey.jobs.waiting', '{job}', 'Jobs that are due and waiting.', [
  'queue',
])

export const oldestJob = gauge('latchkey.jobs.oldest.age', 's', 'Waiting time of the oldest due job.', [
  'queue',
])

export const readiness = gauge('latchkey.ready', '', '1 if /readyz returns 200, otherwise 0.')

export const residentMemory = gauge('process.memory.usage', 'By', 'Resident memory of the process.')

export const processorTime = gauge(
  'process.cpu.time',
  's',
  'CPU time used by the process.',
  ['cpu.mode'],
  'observedCounter',
)

export const uptime = gauge('process.uptime', 's', 'Time since the process started.')
