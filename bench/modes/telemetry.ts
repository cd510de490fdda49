import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { alternate } from '../driver/alternate'
import type { BenchDatabase } from '../machine/database'
import type { Operation } from '../operations/operations'
import { basePort, type Options } from '../options'
import { describeMachine, type Round, ratios, reportOperation } from '../report'
import { fraction, table } from '../table'
import { startLatchkey } from '../targets/latchkey'
import type { Target } from '../targets/target'
import { alertsSeen } from './alerts-seen'

const nothing = 'nothing'
const metricsPort = basePort + 50

/** Returns the server settings to compare, by their name in the table. */
const settings = (collector: string): Record<string, Record<string, string>> => {
  const metrics = { METRICS_PORT: String(metricsPort) }
  const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector}/v1/traces` }
  return {
    [nothing]: {},
    'access log': { ACCESS_LOG: '1' },
    metrics,
    'metrics, a tenth of the traces': {
      ...{ METRICS_PORT: String(metricsPort + 1), ...traces },
      ...{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
    },
    'metrics, every trace': { METRICS_PORT: String(metricsPort + 2), ...traces },
  }
}

const usual: Operation[] = ['refresh-web', 'userinfo-native', 'graphql-me']

/** A telemetry collector that accepts all requests and discards their data. */
const sink = createServer((req, res) => {
  req.resume()
  req.on('end', () => res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
})

/**
 * Measures the cost of the access log, metrics, and traces. Runs a server for each of the `settings`,
 * measures the servers in alternating rounds, and also prints the alert values of the server with metrics.
 * @returns false if a request failed
 */
export async function telemetry(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  const collector = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`
  const targets: Target[] = []
  try {
    for (const [i, [name, env]] of Object.entries(settings(collector)).entries()) {
      const databaseUrl = await database.create(`bench_telemetry_${i}`)
      targets.push(await startLatchkey({ ...options, port: basePort + i, databaseUrl, name, env }))
    }
    const all: Round[][] = []
    for (const operation of options.operations.length > 0 ? options.operations : usual) {
      const rounds = await alternate(targets, operation, options, database)
      console.log(reportOperation(rounds, nothing))
      all.push(rounds)
    }
    console.log(`\n### CPU time compared with no telemetry and no access log\n\n${summary(all)}`)
    console.log(`\n### Alert values under this load\n\n${await alertsSeen(metricsPort)}`)
    return all.flat().every(({ failures }) => failures === 0)
  } finally {
    await Promise.all(targets.map((target) => target.server.stop()))
    sink.close()
  }
}

/**
 * Returns a table with a row per setting and a column per operation. A value is the CPU time per request
 * divided by the CPU time with the setting `nothing`.
 */
function summary(all: Round[][]): string {
  const names = [...new Set(all.flat().map(({ target }) => target))].filter((name) => name !== nothing)
  return table(
    ['enabled', ...all.map((rounds) => String(rounds[0]?.operation))],
    names.map((name) => [name, ...all.map((rounds) => fraction(ratios(rounds, nothing, name).cpu))]),
  )
}
