import { setTimeout as sleep } from 'node:timers/promises'
import { makeUser, testPassword } from '@/lib/testing/factories'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import type { Drill } from '../drill'
import { type Answer, countResults, type Ledger, percentileMs } from '../ledger'
import { withStage } from '../stage'

const users = 50

/** The number of rounds. Each round measures refreshes without sign-ins, and then during sign-ins. */
const rounds = 3

export const signIns: Drill = {
  about: `${users} users sign in with a password and open a page at the same time, while apps refresh their tokens`,
  run: () =>
    withStage({}, async (stage) => {
      // Make the server trust the client IP addresses in the requests. Each user has a separate IP address,
      // because an IP address can make only twenty sign-in attempts per minute.
      await stage.serve({ settings: { TRUST_PROXY: '1' } }).ready()
      const emails: string[] = []
      for (let i = 0; i < users * rounds; i++) emails.push((await makeUser()).email as string)
      const ledger = await stage.ledger(8)
      ledger.start()
      await sleep(2_000)
      const quiet: Answer[] = []
      const busy: Answer[] = []
      const results: string[] = []
      let longest = 0
      for (let round = 0; round < rounds; round++) {
        quiet.push(...(await during(ledger, () => sleep(4_000))))
        const since = performance.now()
        busy.push(
          ...(await during(ledger, async () => {
            const now = emails.splice(0, users)
            results.push(
              ...(await Promise.all(now.map((email, i) => signIn(email, `10.0.${round}.${i + 1}`)))),
            )
          })),
        )
        longest = Math.max(longest, performance.now() - since)
      }
      await ledger.stop()
      const failed = ledger.answers.filter(({ what }) => what !== '200')
      const odd = results.filter((what) => what !== 'signed in')
      const ratio = (share: number) => (percentileMs(busy, share) / percentileMs(quiet, share)).toFixed(1)
      const both = (answers: Answer[]) =>
        `${answers.length} refreshes, half within ${percentileMs(answers, 0.5).toFixed(0)} ms, 99 of 100 within ${percentileMs(answers, 0.99).toFixed(0)} ms`
      return {
        lines: [
          ['quiet', both(quiet)],
          ['meanwhile', both(busy)],
          ['ratio', `${ratio(0.5)} times as long at p50, ${ratio(0.99)} times at p99`],
          [
            'users',
            `${results.length - odd.length} of ${results.length} signed in; ${users} within ${(longest / 1000).toFixed(1)} s`,
          ],
          ['answers', countResults(ledger.answers)],
        ],
        acknowledged: ledger.acknowledged,
        lost: await ledger.lost(),
        wrong: [
          ...new Set(odd.map((what) => `a sign-in: ${what}`)),
          ...(failed.length === 0 ? [] : [`requests of apps failed: ${countResults(failed)}`]),
        ],
      }
    }),
}

/** Runs work, and returns the results of the refreshes that the ledger sent and completed during the work. */
async function during(ledger: Ledger, work: () => Promise<unknown>): Promise<Answer[]> {
  const from = performance.now()
  await work()
  const until = performance.now()
  return ledger.answers.filter(({ at, path }) => path === '/oauth/token' && at >= from && at < until)
}

async function signIn(email: string, address: string): Promise<string> {
  const browser = new TestBrowser()
  const from = { 'x-forwarded-for': address }
  await (await browser.request('/login', { headers: from })).text()
  const fields: [string, string][] = [
    ['email', email],
    ['password', testPassword],
  ]
  const answer = await browser.submit('/login/submit', fields, from)
  const page = await browser.follow('/account', { headers: from })
  await page.text()
  return page.status === 200 ? 'signed in' : `${answer.status}, then ${page.status} for a page`
}
