import net from 'node:net'
import { cpus } from 'node:os'
import { alternate } from '../driver/alternate'
import { median } from '../driver/statistics'
import type { BenchDatabase } from '../machine/database'
import type { Operation } from '../operations/operations'
import { basePort, type Options } from '../options'
import { describeMachine, type Round, reportOperation } from '../report'
import { fraction, table } from '../table'
import { startLatchkey } from '../targets/latchkey'
import type { Target } from '../targets/target'

const measured: Operation[] = ['refresh-native', 'userinfo-web', 'graphql-me']

/** Starts a balancer that passes each new connection to the next server. */
function startBalancer(port: number, servers: number[]): Promise<net.Server> {
  let turn = 0
  const balancer = net.createServer((client) => {
    const server = net.connect(servers[turn++ % servers.length] as number, '127.0.0.1')
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => {
        client.destroy()
        server.destroy()
      })
    }
  })
  return new Promise((resolve) => balancer.listen(port, '127.0.0.1', () => resolve(balancer)))
}

/**
 * Compares one server with two servers. Both setups are behind a balancer and use the same database. If
 * pinning is possible, the two servers run on different processors. The driver and PostgreSQL can also use
 * the second server's processor.
 */
export async function replicas(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const databaseUrl = await database.create('replicas')
  const publicPort = basePort + 9
  const one = await startLatchkey({
    ...options,
    port: basePort,
    databaseUrl,
    name: 'one',
    publicPort: basePort + 8,
  })
  const first = await startLatchkey({ ...options, port: basePort + 1, databaseUrl, publicPort })
  const second = await startLatchkey({ ...options, port: basePort + 2, databaseUrl, publicPort, cpu: '1' })
  const two: Target = {
    ...first,
    name: 'two',
    server: { ...first.server, cpu: () => first.server.cpu() + second.server.cpu() },
  }
  const balancers = [
    await startBalancer(basePort + 8, [basePort]),
    await startBalancer(publicPort, [basePort + 1, basePort + 2]),
  ]
  try {
    let good = true
    for (const operation of options.operations.length ? options.operations : measured) {
      const rounds = await alternate([one, two], operation, options, database)
      console.log(`${reportOperation(rounds, 'two')}\n\n${processorTable(rounds)}`)
      good &&= rounds.every((each) => each.failures === 0)
    }
    return good
  } finally {
    for (const balancer of balancers) balancer.close()
    await Promise.all([one, first, second].map(({ server }) => server.stop()))
  }
}

/**
 * Returns a table of how many processors the servers, the database, and the driver with the balancer keep
 * busy. The table shows which of them is the bottleneck.
 */
function processorTable(rounds: Round[]): string {
  const rows = [...new Set(rounds.map((each) => each.target))].map((name) => {
    const mine = rounds.filter((each) => each.target === name)
    const busy = (who: 'server' | 'database' | 'driver') =>
      median(mine.map(({ cpu, rps }) => (cpu[who] * rps) / 1e6))
    const each = [busy('server'), busy('database'), busy('driver')]
    const idle = cpus().length - each.reduce((sum, value) => sum + value, 0)
    return [name, ...[...each, Math.max(idle, 0)].map((value) => fraction(value))]
  })
  return table(
    ['processors busy', 'servers', 'database', 'driver and balancer', 'idle or other processes'],
    rows,
  )
}
