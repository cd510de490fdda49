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
function counter<Label extends string>(name: string, unit: string, about: string, labels: readonly Label[]) {
  const definition = define({ kind: 'counter', name, unit, about, labels })
  return { ...definition, add: (values: Values<Label>) => measure(name, 1, values) }
}

/** How much of something there is now, counted up and down. */
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

/** How long something took, in seconds. */
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

/** What is read when somebody asks for it. @returns makes a reading of it */
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

/**
 * Everything that is measured, in one place; docs/operate/metrics.md tells the operator the same, and a test holds one
 * against the other. Names and labels are OpenTelemetry's semantic conventions where there are any. The value of a label is a
 * word that stands in the code (a route, a code of an error, the name of a queue), so nobody outside can make up another.
 * See decision 119.
 */

const answering = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const asking = [0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]
const working = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300]

export const requestDuration = duration(
  'http.server.request.duration',
  'How long requests took to be answered.',
  ['http.request.method', 'http.route', 'http.response.status_code', 'error.type'],
  answering,
)

export const requestsActive = upDownCounter(
  'http.server.active_requests',
  '{request}',
  'Requests that are being answered now.',
  ['http.request.method'],
)

export const tokensIssued = counter(
  'latchkey.tokens.issued',
  '{answer}',
  'Answers of the token endpoint with an access token.',
  ['grant', 'app_type', 'app_source'],
)

export const signIns = counter('latchkey.sign_ins', '{sign_in}', 'Tries to sign in, and what came of each.', [
  'method',
  'outcome',
])

export const refusals = counter(
  'latchkey.refusals',
  '{refusal}',
  'What was refused, by the code that the caller was told.',
  ['edge', 'code'],
)

export const limitsReached = counter(
  'latchkey.limits.reached',
  '{request}',
  'Requests that were one too many for a limit.',
  ['limit'],
)

export const operationDuration = duration(
  'latchkey.graphql.operation.duration',
  'How long GraphQL operations took to be executed.',
  ['graphql.operation.type', 'field', 'error.type'],
  answering,
)

export const statementDuration = duration(
  'db.client.operation.duration',
  'How long PostgreSQL took for a statement.',
  ['db.query.summary', 'error.type'],
  asking,
)

export const connectionWait = duration(
  'db.client.connection.wait_time',
  'How long work waited for a connection of the pool.',
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
  'Connections that may be open at most.',
  ['db.client.connection.pool.name'],
)

export const connectionsPending = gauge(
  'db.client.connection.pending_requests',
  '{request}',
  'Work that waits for a connection now.',
  ['db.client.connection.pool.name'],
)

export const usedTokensApart = gauge(
  'latchkey.used_tokens.apart',
  '',
  '1 while used refresh tokens go to a table that can be dropped, 0 while they stay among the live ones.',
)

export const callDuration = duration(
  'http.client.request.duration',
  'How long calls to addresses that others named took: webhooks, sign-outs, audit streams, logos, documents, domains and keys of apps, identity providers of companies.',
  ['purpose', 'http.request.method', 'http.response.status_code', 'error.type'],
  answering,
)

export const mails = counter('latchkey.mails', '{mail}', 'Mails handed to the mail server, or given up.', [
  'outcome',
])

export const jobDuration = duration(
  'latchkey.jobs.duration',
  'How long background jobs took. A webhook or an app that refuses a message is no failed job.',
  ['queue', 'outcome'],
  working,
)

export const jobsWaiting = gauge(
  'latchkey.jobs.waiting',
  '{job}',
  'Jobs whose time has come and that wait.',
  ['queue'],
)

export const oldestJob = gauge(
  'latchkey.jobs.oldest.age',
  's',
  'How long the job that waits longest has waited.',
  ['queue'],
)

export const readiness = gauge('latchkey.ready', '', '1 while /readyz would answer 200, else 0.')

export const residentMemory = gauge(
  'process.memory.usage',
  'By',
  'Memory of the process, as the system counts it.',
)

export const processorTime = gauge(
  'process.cpu.time',
  's',
  'Time that the process had a processor.',
  ['cpu.mode'],
  'observedCounter',
)

export const uptime = gauge('process.uptime', 's', 'How long the process has been running.')
