import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { alternate } from '../driver/alternate'
import type { BenchDatabase } from '../machine/database'
import { operationsCalled } from '../operations/operations'
import { basePort, type Options } from '../options'
import { describeMachine, reportOperation } from '../report'
import { startLatchkey } from '../targets/latchkey'
import type { Target } from '../targets/target'

/** What is compared: what a server is told, by the name that stands in the table. */
const settings = (collector: string): Record<string, Record<string, string>> => ({
  off: {},
  metrics: { METRICS_PORT: String(basePort + 50) },
  'a tenth of the traces': {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector}/v1/traces`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
  },
  'every trace': { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector}/v1/traces` },
})

/** Takes whatever it is sent. */
const sink = createServer((req, res) => {
  req.resume()
  req.on('end', () => res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
})

/** What metrics and traces cost a request: the same server with and without, in alternating rounds. */
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
    const operations = options.operations.length > 0 ? options.operations : operationsCalled('refresh-web')
    let failures = 0
    for (const operation of operations) {
      const rounds = await alternate(targets, operation, options, database)
      console.log(reportOperation(rounds, 'off'))
      failures += rounds.reduce((sum, each) => sum + each.failures, 0)
    }
    return failures === 0
  } finally {
    await Promise.all(targets.map((target) => target.server.stop()))
    sink.close()
  }
}
