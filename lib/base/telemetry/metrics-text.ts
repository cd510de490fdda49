import { createServer, type Server } from 'node:http'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { metrics } from '@opentelemetry/sdk-node'

/** How Prometheus writes a unit into the name of a metric, as OpenTelemetry's collector does; the exporter leaves it out. */
const units: Record<string, string> = { s: 'seconds', By: 'bytes', '1': 'ratio' }

/** A metric's name in Prometheus text, without what stands for its parts (`_bucket`, `_total`). */
export function nameInText({ name, unit = '' }: { name: string; unit?: string }): string {
  const plain = name.replaceAll('.', '_')
  const suffix = units[unit]
  return suffix === undefined || plain.endsWith(`_${suffix}`) ? plain : `${plain}_${suffix}`
}

type Collected = metrics.ResourceMetrics

const named = (resourceMetrics: Collected): Collected => ({
  ...resourceMetrics,
  scopeMetrics: resourceMetrics.scopeMetrics.map((scope) => ({
    ...scope,
    metrics: scope.metrics.map((metric) => ({
      ...metric,
      descriptor: { ...metric.descriptor, name: nameInText(metric.descriptor) },
    })),
  })),
})

/** What reads metrics and writes them as text, for a provider of meters. */
export type TextReader = { reader: PrometheusExporter; text: () => Promise<string> }

/** Makes it. */
export function textReader(): TextReader {
  const reader = new PrometheusExporter({ preventServerStart: true })
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  return {
    reader,
    text: async () => serializer.serialize(named((await reader.collect()).resourceMetrics)),
  }
}

const types = { metrics: 'text/plain; version=0.0.4; charset=utf-8', other: 'text/plain; charset=utf-8' }

/**
 * Answers `GET /metrics` on a port of its own, which nobody reaches by the product's address.
 * @param host an address of this machine; 127.0.0.1, which nobody else reaches, when undefined
 * @throws Error with one sentence when the port cannot be had
 */
export function serveText(text: () => Promise<string>, port: number, host = '127.0.0.1'): Promise<Server> {
  const server = createServer((req, res) => {
    const send = (status: number, body: string, type = types.other) =>
      res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    if (req.url?.split('?', 1)[0] !== '/metrics') return send(404, 'The metrics are at /metrics.\n')
    if (req.method !== 'GET' && req.method !== 'HEAD') return send(405, 'The metrics are read with GET.\n')
    text().then(
      (body) => send(200, body, types.metrics),
      () => send(500, 'The metrics could not be read.\n'),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new Error(`Port ${port} for metrics cannot be opened (${code}); choose another with METRICS_PORT.`),
      ),
    )
    // It keeps no process from ending.
    server.listen(port, host, () => resolve(server.unref()))
  })
}
