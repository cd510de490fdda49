import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { testPort } from '@/lib/testing/free-port'
import { authorize, challengeOf, newVerifier } from '@/lib/testing/oauth-flow'
import type { Drill } from '../drill'
import { openFront } from '../front'
import { countResults } from '../ledger'
import type { Server } from '../server'
import { type Stage, withStage } from '../stage'

/** The clock offset of each replica, in seconds. */
const clocksOff = [0, 120, -120]

/** The number of codes that each replica issues for each other replica. */
const codes = 5

type Replica = { name: string; server: Server }

export const clocks: Drill = {
  about: 'three replicas: one with the correct clock, one two minutes ahead, one two minutes behind',
  run: () =>
    withStage({}, async (stage) => {
      const replicas: Replica[] = []
      for (const off of clocksOff) {
        const server = stage.serve({ port: await testPort(), settings: clock(off) })
        await server.ready()
        replicas.push({ name: off > 0 ? `+${off} s` : `${off} s`, server })
      }
      const unnoticed = replicas.filter(
        ({ server }, i) =>
          (clocksOff[i] !== 0) !== server.output().includes('the clock of this machine differs'),
      )
      let next = (): string => (replicas[0] as Replica).server.base
      const front = await openFront(stage.port, () => next())
      try {
        const wrong = unnoticed.map(
          ({ name }) => `the log of the replica at ${name} is wrong about its clock`,
        )
        const lines: [string, string][] = []
        for (const giving of replicas) {
          next = () => giving.server.base
          for (const redeeming of replicas) {
            if (redeeming === giving) continue
            const refused = await redeem(stage, redeeming.server.base)
            lines.push([
              giving.name,
              `${codes - refused.length} of ${codes} codes redeemed at the replica at ${redeeming.name}`,
            ])
            wrong.push(...refused)
          }
        }
        let turn = 0
        next = () => (replicas[turn++ % replicas.length] as Replica).server.base
        const ledger = await stage.ledger(8)
        ledger.start()
        await sleep(5_000)
        await ledger.stop()
        const odd = ledger.answers.filter(({ what }) => what !== '200')
        lines.push(['in turns', countResults(ledger.answers)])
        if (odd.length > 0) wrong.push(`requests failed: ${countResults(odd)}`)
        return { lines, acknowledged: ledger.acknowledged, lost: await ledger.lost(), wrong }
      } finally {
        front.close()
      }
    }),
}

const clock = (off: number): Record<string, string> => ({
  NODE_OPTIONS: `--require ${path.resolve('scripts/faults/shift-clock.cjs')}`,
  FAULTS_CLOCK_SECONDS: String(off),
})

/**
 * Signs new users in to an app through the proxy, which leads to one replica, and redeems their codes at
 * another replica.
 * @param at the URL of the other replica
 * @returns a description of each code that was rejected, or whose response contained no ID token
 */
async function redeem(stage: Stage, at: string): Promise<string[]> {
  const app = await stage.app()
  const refused: string[] = []
  for (let count = 0; count < codes; count++) {
    const verifier = newVerifier()
    const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    const code = (await authorize(await stage.browser(), app, pkce)).get('code') as string
    const fields = { grant_type: 'authorization_code', code, client_id: app.clientId }
    const body = new URLSearchParams({
      ...fields,
      redirect_uri: app.redirectUri,
      code_verifier: verifier,
    })
    const answer = await fetch(`${at}/oauth/token`, { method: 'POST', body })
    const { error, id_token } = (await answer.json()) as Record<string, string>
    if (answer.status !== 200 || id_token === undefined) refused.push(`a code: ${answer.status} ${error}`)
  }
  return refused
}
