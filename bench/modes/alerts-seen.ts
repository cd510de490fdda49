import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { table } from '../table'

type Sample = { name: string; labels: string; value: number }

const rulesFile = path.join(import.meta.dirname, '../../deploy/prometheus/latchkey.rules.yml')

/**
 * Functions by alert name. Each computes the value that the alert compares with its threshold. The input is a
 * server's metrics. For counters, the functions use the totals since the server's start, but the alerts use
 * only the last minutes.
 */
const looksAt: Record<string, (samples: Sample[]) => number> = {
  LatchkeyErrors: (samples) => {
    const requests = 'http_server_request_duration_seconds_count'
    return sum(samples, requests, /http_response_status_code="5/) / Math.max(1, sum(samples, requests)) || 0
  },
  LatchkeyTokensSlow: (samples) =>
    quantile(samples, 'http_server_request_duration_seconds_bucket', 0.99, /http_route="\/oauth\/token"/),
  LatchkeyPoolWaiting: (samples) => quantile(samples, 'db_client_connection_wait_time_seconds_bucket', 0.95),
  LatchkeyJobsLate: (samples) =>
    Math.max(0, ...of(samples, 'latchkey_jobs_oldest_age_seconds').map(({ value }) => value)),
  LatchkeyEventLoopBusy: (samples) => sum(samples, 'nodejs_eventloop_delay_p99_seconds'),
}

/**
 * Reads a server's metrics, and returns a table with the threshold and the measured value of each alert in
 * `looksAt`.
 */
export async function alertsSeen(port: number): Promise<string> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const samples = [...text.matchAll(/^(\w+)(\{.*\})? (\S+)/gm)].map(
    ([, name = '', labels = '', value]): Sample => ({ name, labels, value: Number(value) }),
  )
  const rules: { alert: string; expr: string }[] = parse(fs.readFileSync(rulesFile, 'utf8')).groups[0].rules
  const rows = rules.flatMap(({ alert, expr }) => {
    const look = looksAt[alert]
    return look ? [[alert, `> ${expr.trim().split('>').at(-1)?.trim()}`, look(samples).toFixed(3)]] : []
  })
  return table(['alert', 'fires at', 'seen'], rows)
}

const of = (samples: Sample[], wanted: string, labels = /(?:)/) =>
  samples.filter((each) => each.name === wanted && labels.test(each.labels))

const sum = (samples: Sample[], wanted: string, labels?: RegExp) =>
  of(samples, wanted, labels).reduce((total, { value }) => total + value, 0)

/**
 * Returns a quantile in the same way as Prometheus's `histogram_quantile`, which assumes that values are
 * evenly distributed within each bucket. Returns 0 if there are no values.
 */
function quantile(samples: Sample[], wanted: string, share: number, labels?: RegExp): number {
  const upTo = new Map<number, number>()
  for (const each of of(samples, wanted, labels)) {
    const end = Number(/le="([^"]+)"/.exec(each.labels)?.[1]?.replace('+Inf', 'Infinity'))
    upTo.set(end, (upTo.get(end) ?? 0) + each.value)
  }
  const ends = [...upTo].sort(([a], [b]) => a - b)
  const rank = share * (ends.at(-1)?.[1] ?? 0)
  let [begin, below] = [0, 0]
  for (const [end, count] of ends) {
    if (count >= rank && count > 0) {
      return end === Number.POSITIVE_INFINITY
        ? begin
        : begin + ((end - begin) * (rank - below)) / (count - below)
    }
    ;[begin, below] = [end, count]
  }
  return 0
}
