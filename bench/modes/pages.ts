import { gzipSync } from 'node:zlib'
import { median } from '../driver/statistics'
import type { BenchDatabase } from '../machine/database'
import { basePort, type Options } from '../options'
import { describeMachine, table } from '../report'
import { startLatchkey } from '../targets/latchkey'
import type { Target } from '../targets/target'

const VISITS = 200

type Page = { name: string; path: string; cookie: string }

/** What the pages that people wait for weigh: the login page, and the consent page of somebody who is signed in. */
export async function pages(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const target = await startLatchkey({
    ...options,
    port: basePort,
    databaseUrl: await database.create('pages'),
  })
  try {
    const consent = await openConsent(target)
    const rows = [
      await weigh(target, { name: 'login', path: '/login', cookie: '' }),
      await weigh(target, consent),
    ]
    const head = ['page', 'HTML', 'JavaScript', 'CSS', 'fonts', 'requests', 'first byte p50 ms', 'server us']
    console.log(
      `${table(head, rows)}\nkB as sent (gzip); requests: the page and what it names, scripts loaded or preloaded`,
    )
    return true
  } finally {
    await target.server.stop()
  }
}

/** Signs a person in and follows an authorization request to the page that asks for consent. */
async function openConsent(target: Target): Promise<Page> {
  const [session] = await target.mint('session', 1)
  const cookies = new Map([session?.value.split(/=(.*)/s).slice(0, 2) as [string, string]])
  const query = new URLSearchParams({
    client_id: target.client.id,
    redirect_uri: target.redirectUri,
    response_type: 'code',
    scope: 'openid email profile workspace:viewer',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    prompt: 'consent',
  })
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  let path = `/oauth/auth?${query}`
  for (let hops = 0; hops < 5; hops++) {
    const answer = await fetch(target.base + path, { redirect: 'manual', headers: { cookie: header() } })
    for (const each of answer.headers.getSetCookie()) {
      const [name, value] = (each.split(';')[0] as string).split(/=(.*)/s)
      if (name) cookies.set(name, value ?? '')
    }
    const location = answer.headers.get('location')
    if (!location) return { name: 'consent', path, cookie: header() }
    const next = new URL(location, target.base)
    path = next.pathname + next.search
  }
  throw new Error('the authorization request did not arrive at a page')
}

async function weigh(target: Target, { name, path, cookie }: Page): Promise<(string | number)[]> {
  const visit = () => fetch(target.base + path, { headers: { cookie, accept: 'text/html' } })
  const html = await visit().then((answer) => answer.text())
  const sizes = { js: 0, css: 0, font: 0 }
  const named = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(js|css|woff2)[^"]*)"/g)]
  const files = new Map(named.map(([, file, type]) => [file as string, type as string]))
  for (const [file, type] of files) {
    const answer = await fetch(target.base + file.replaceAll('&amp;', '&'))
    const body = new Uint8Array(await answer.arrayBuffer())
    if (type === 'woff2') sizes.font += body.length
    else sizes[type === 'js' ? 'js' : 'css'] += gzipSync(body).length
  }
  for (let i = 0; i < VISITS; i++) await visit().then((answer) => answer.arrayBuffer()) // warm-up
  const firstByte: number[] = []
  const before = target.server.cpu()
  for (let i = 0; i < VISITS; i++) {
    const sent = performance.now()
    const answer = await visit()
    firstByte.push(performance.now() - sent)
    await answer.arrayBuffer()
  }
  const cpu = ((target.server.cpu() - before) / VISITS) * 1e6
  const kb = (bytes: number) => (bytes / 1000).toFixed(1)
  const weights = [gzipSync(html).length, sizes.js, sizes.css, sizes.font].map(kb)
  return [name, ...weights, files.size + 1, median(firstByte).toFixed(1), Math.round(cpu)]
}
