import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { runShutdownTasks } from '@/lib/base/process/background'
import { openTelemetry } from '@/lib/server/open-telemetry'
import { testPort } from './free-port'

/** A span from OTLP JSON, with its attributes converted to an object. */
export type SentSpan = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  status: { code?: number; message?: string }
  events: unknown[]
  attributes: Record<string, unknown>
}

type Raw = Omit<SentSpan, 'attributes'> & { attributes: { key: string; value: Record<string, unknown> }[] }
type Sent = { resourceSpans?: { scopeSpans: { scope: { name: string }; spans: Raw[] }[] }[] }

const readable = (span: Raw): SentSpan => ({
  ...span,
  attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
})

/** Starts a collector that stores the OTLP data that it receives over HTTP. */
async function startCollector() {
  const bodies: { path: string; text: string }[] = []
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    bodies.push({ path: String(req.url), text: Buffer.concat(chunks).toString('utf8') })
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const scopes = () =>
    bodies
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ text }) => (JSON.parse(text) as Sent).resourceSpans ?? [])
      .flatMap(({ scopeSpans }) => scopeSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns all received data as text. */
    everything: () => bodies.map(({ text }) => text).join('\n'),
    metricNames: () =>
      bodies
        .filter(({ path }) => path === '/v1/metrics')
        .flatMap(({ text }) => text.match(/"name":"[\w.]+"/g) ?? []),
    scopeNames: () => [...new Set(scopes().map(({ scope }) => scope.name))],
    spans: (): SentSpan[] => scopes().flatMap(({ spans }) => spans.map(readable)),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** A sample in Prometheus text. */
export type Sample = { name: string; labels: Record<string, string>; value: number }

/** Parses Prometheus text (exposition format 0.0.4). @throws Error if a line is invalid */
function parseMetrics(text: string): Sample[] {
  const samples: Sample[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name, inside = '', value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined) throw new Error(`no sample: ${line}`)
    const labels = Object.fromEntries(
      [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, label]) => [
        key as string,
        label as string,
      ]),
    )
    samples.push({ name, labels, value: Number(value) })
  }
  return samples
}

/**
 * Enables telemetry in the test process. Call this function before the first query, because connections are
 * instrumented when they open. The process sends telemetry to a new collector, and also serves its metrics as
 * text on a port.
 */
export async function observeThisProcess() {
  const collector = await startCollector()
  const port = await testPort()
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    METRICS_PORT: String(port),
  })
  resetConfig()
  await openTelemetry()
  afterAll(async () => {
    await runShutdownTasks()
    await collector.close()
  })
  const text = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return {
    ...collector,
    port,
    text,
    samples: async () => parseMetrics(await text()),
    /**
     * Waits up to 10 seconds for a span, and returns it. @param look returns whether a span is the expected
     * span
     */
    span: (look: (span: SentSpan) => boolean) =>
      vi.waitFor(
        () => {
          const found = collector.spans().find(look)
          if (!found) throw new Error(`not among ${collector.spans().map(({ name }) => name)}`)
          return found
        },
        { timeout: 10_000, interval: 50 },
      ),
  }
}
