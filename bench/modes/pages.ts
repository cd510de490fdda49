import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { median, percentile } from '../driver/statistics'
import { choices, longConsent, pageGoals } from '../goals'
import { type BenchDatabase, query } from '../machine/database'
import { moreChoices } from '../mint/population'
import { basePort, type Options } from '../options'
import { describeMachine } from '../report'
import { fraction, table, whole } from '../table'
import { startLatchkey } from '../targets/latchkey'
import { openConsent, type Page } from '../targets/open-consent'
import type { Target } from '../targets/target'

/** The number of visits in one round. The visits are sequential, as from a single user. */
const VISITS = 100

/**
 * The maximum number of visits before the first round. A new server still compiles code during these visits.
 * The results show the first `VISITS` of them in a separate column and do not include the others.
 */
const WARM_UP = 600

/** The longest time in milliseconds until an idle backend reports its counters. */
const COUNTERS_ARE_LATE = 11_000

/**
 * Measures the pages that users wait for: the sign-in page, and the consent page of a signed-in user with few
 * and with many choices.
 */
export async function pages(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const [databaseUrl, observer] = [await database.create('pages'), await database.create('observer')]
  const transactions = async () => {
    await sleep(COUNTERS_ARE_LATE)
    const sql = `SELECT xact_commit::int AS count FROM pg_stat_database WHERE datname = 'pages'`
    return (await query<{ count: number }>(observer, sql))[0]?.count ?? 0
  }
  const target = await startLatchkey({ ...options, port: basePort, databaseUrl })
  try {
    const measured = []
    for (const arrive of [
      () => ({ name: 'sign-in', path: '/login', cookie: '', shows: 'name="password"' }),
      () => openConsent(target),
      () => openLongConsent(target, databaseUrl),
    ]) {
      const page: Page = await arrive()
      const weight = await weigh(target, page)
      const fresh = await visit(target, page)
      const warmUp = Math.min(WARM_UP, options.warm)
      for (let visits = VISITS; visits < warmUp; visits += VISITS) await visit(target, page)
      const before = await transactions()
      const rounds: Visits[] = []
      for (let round = 0; round < options.rounds; round++) rounds.push(await visit(target, page))
      const statements = ((await transactions()) - before) / (VISITS * options.rounds)
      measured.push({ page: page.name, ...weight, fresh: fresh.cpu, rounds, statements })
    }
    console.log(`\n${weightTable(measured)}\n\n${timeTable(measured)}\n`)
    console.log(pageGoals(measured.map((each) => ({ ...each, cpu: median(each.rounds.map((r) => r.cpu)) }))))
    return true
  } finally {
    await target.server.stop()
  }
}

/**
 * Adds projects until the first user has `choices` choices, and opens the user's consent page. The page has a
 * search field, because it shows so many choices.
 * @throws Error if the page shows a different number of choices
 */
async function openLongConsent(target: Target, databaseUrl: string): Promise<Page> {
  await query(databaseUrl, moreChoices(choices))
  const page = await openConsent(target, longConsent, 'openid workspace:viewer project:viewer')
  const { html } = await open(target, page)
  const shown = html.match(/ name="(workspace|project)"/g)?.length
  if (shown !== choices) throw new Error(`The consent page shows ${shown} choices.`)
  return page
}

/**
 * The number of transferred bytes by type, and the number of requests. HTML, scripts, and styles are
 * compressed.
 */
type Weight = Record<'html' | 'js' | 'css' | 'other', number> & { requests: number }
type Visits = { p50: number; p99: number; cpu: number }
type Measured = Weight & { page: string; fresh: number; rounds: Visits[]; statements: number }

/** Requests a page. @throws Error if the request fails or the response is another page */
async function open(target: Target, { name, path, cookie, shows }: Page) {
  const sent = performance.now()
  const answer = await fetch(target.base + path, { headers: { cookie, accept: 'text/html' } })
  const firstByte = performance.now() - sent
  const html = await answer.text()
  if (!answer.ok || !html.includes(shows)) throw new Error(`${name} responded with ${answer.status}: ${html}`)
  return { firstByte, html, link: answer.headers.get('link') ?? '' }
}

/**
 * Returns the weight of a page, including every script, style sheet, font, and image that the page's HTML or
 * Link header references.
 */
async function weigh(target: Target, page: Page): Promise<Weight> {
  const { html, link } = await open(target, page)
  const weight = { html: gzipSync(html).length, js: 0, css: 0, other: 0, requests: 1 }
  const named = `${html}\n${link}`.matchAll(/(?<=["'<(])\/[\w./%~-]+\.(js|css|woff2|svg|png|ico)\b/g)
  for (const [file, type] of new Map([...named].map(([file, type]) => [file, type]))) {
    const answer = await fetch(target.base + file)
    if (!answer.ok) throw new Error(`${file} responded with ${answer.status}`)
    const body = new Uint8Array(await answer.arrayBuffer())
    weight.requests++
    if (type === 'js' || type === 'css') weight[type] += gzipSync(body).length
    else weight.other += body.length
  }
  return weight
}

async function visit(target: Target, page: Page): Promise<Visits> {
  const took: number[] = []
  const before = target.server.cpu()
  for (let i = 0; i < VISITS; i++) took.push((await open(target, page)).firstByte)
  const cpu = ((target.server.cpu() - before) / VISITS) * 1e6
  took.sort((a, b) => a - b)
  return { p50: percentile(took, 0.5), p99: percentile(took, 0.99), cpu }
}

const weightTable = (measured: Measured[]) =>
  table(
    ['page', 'HTML kB', 'JavaScript kB', 'CSS kB', 'fonts and images kB', 'requests'],
    measured.map((each) => [
      each.page,
      ...[each.html, each.js, each.css, each.other].map((bytes) => fraction(bytes / 1000, 1)),
      each.requests,
    ]),
  )

const timeTable = (measured: Measured[]) =>
  table(
    ['page', 'first byte p50 ms', 'p99 ms', 'server us', 'min-max', 'first visits us', 'statements'],
    measured.map(({ page, fresh, rounds, statements }) => {
      const of = (pick: (each: Visits) => number) => median(rounds.map(pick))
      const cpu = rounds.map((each) => each.cpu)
      return [
        page,
        fraction(of((each) => each.p50)),
        fraction(of((each) => each.p99)),
        whole(median(cpu)),
        `${whole(Math.min(...cpu))}-${whole(Math.max(...cpu))}`,
        whole(fresh),
        fraction(statements, 1),
      ]
    }),
  )
