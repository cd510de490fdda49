import type { Mode } from '../options'

/** What stands around the output of a mode, and holds whatever its figures are. */
export const sections: Record<Mode, { title: string; before: string; after: string }> = {
  compare: {
    title: 'Operations',
    before:
      'Latchkey beside the yardsticks. p1 keeps everything in memory and loses it at a restart: a bound, not a rival. *x CPU* and *x rps* say how Latchkey does against a target; above 1 it needs less CPU, of server and database together, or has the higher throughput.',
    after:
      'p1 and p2 let two parallel redemptions of one code or refresh token both succeed, p2 and p3 commit several times a request; Latchkey commits once, and one redemption wins. A rotating refresh of a web app takes tokens near the end of their life, because before that neither Latchkey nor p1 and p2 replace them. The GraphQL yardsticks run the statements that the fields need and nothing else: no permission, no limit on what a query may cost. The driver shares its processor with PostgreSQL, so for the fastest targets compare the CPU, not the throughput.',
  },
  pages: {
    title: 'Pages',
    before:
      'The login page and the consent page of somebody who is signed in, with a little and with 400 workspaces and projects to choose from, asked for one visit after the other. Bytes as sent, compressed. Requests: the page and every file that it, its scripts or its Link header name. *server us* is all CPU of a visit, not only that before the first byte, after six hundred visits that warm the server up; *just started us* is that of the first hundred; *statements* are transactions as PostgreSQL counts them, which are statements where nothing opens a longer one; background jobs are among them.',
    after: '',
  },
  profile: {
    title: 'Where the time goes',
    before:
      'The busy time of the server, sampled five thousand times a second and summed up by package and by folder of the product; native functions count for whoever calls them. The profiler itself costs time, so look at the shares. *System calls and other native code* is mostly writing to and reading from sockets, and on a busy machine waiting for the processor.',
    after:
      'Statements and commits are counted above. The signature of the id_token is part of *Node: crypto*, or of other native code where a thread of its own makes it.',
  },
  costs: {
    title: 'What capacity is reckoned from',
    before:
      'CPU, write-ahead log and disk of one request, and of each step of a first sign-in: somebody with an account, a password and no session goes from an app’s link to its first tokens. Statements are counted on the way to PostgreSQL, transactions’ own among them. The log is that of the whole server, so it holds what a checkpoint makes pages cost once more. The same figures are in `docs/performance/costs.json`, from which `npm run capacity` reckons.',
    after: '',
  },
  growth: {
    title: 'Growth',
    before:
      'The same operations on three databases, loaded by COPY and measured in alternating rounds. The goal is a ratio of at most 1.2.',
    after:
      'Every hot statement reads by primary key or by an index on what it was asked for, so its cost follows the depth of a B-tree, not the number of rows. What a refresh or a code writes goes to random places of indexes; at the largest step these no longer fit into shared_buffers, which are small here. The ratio is of CPU of both sides together, a median of ratios within a round.',
  },
  'clean-up': {
    title: 'Clean-up',
    before:
      'Expired rows are removed by the background job, in batches of a thousand that skip locked rows and rest as long as they worked, while sixteen clients refresh.',
    after:
      'Both compete for the same disk and, on a machine with two cores, for the same processor; nothing of the hot path waits for a lock of the clean-up.',
  },
  replicas: {
    title: 'Replicas',
    before:
      'One server process behind a balancer against two, on one database. The second server has the second processor, which it shares with PostgreSQL, the balancer and the driver when there are only two.',
    after:
      'Where next to nothing is left idle, the processors of the machine are the limit, not the database or a lock: two processes then share what one had. `docs/performance/scaling.md` has the arithmetic for machines with more.',
  },
  citus: {
    title: 'Several machines',
    before:
      'One PostgreSQL against a coordinator with two workers, all on this machine: what a request costs, not what three machines serve.',
    after: 'docs/operate/citus.md says when to take that step, and how.',
  },
  mcp: {
    title: 'Tools of agents',
    before:
      'A call of the tool list_projects at /mcp beside the operation behind it at /graphql/v2, by the same server in alternating rounds, and beside the protocol’s library with a tool that answers from memory. The goal is at most 1.3 times the CPU of the operation.',
    after: '',
  },
  telemetry: {
    title: 'Metrics and traces',
    before:
      'The same server told nothing, to serve metrics, to send a tenth of its traces, and to send all of them to a collector that takes whatever comes. *x CPU* says how the first does against each: 1.1 stands for a tenth more CPU.',
    after: 'docs/operate/metrics.md says what is measured, and how it is switched on.',
  },
  memory: {
    title: 'Memory and start',
    before:
      'Start to the first good answer of `/readyz` on a database that is already migrated; resident memory at rest, while requests pass (half GraphQL, four in ten `/oauth/me`, one in ten refresh of a native app), and a minute after them.',
    after:
      'The heap is held at 160 MB: a hundred bytes that each request did not let go of would fill it before the end.',
  },
}
