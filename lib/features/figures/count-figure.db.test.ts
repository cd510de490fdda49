import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { signIns, tokensIssued } from '@/lib/base/telemetry/metrics'
import { setCountListener } from '@/lib/base/telemetry/telemetry'
import { countAnswer, countMetric } from './count-figure'
import { readFigures } from './read-figures'

it('figures include requests, sign-ins, and tokens even if metrics are not exported', async () => {
  setCountListener(countMetric)
  countAnswer(20, undefined)
  countAnswer(300, '503')
  countAnswer(300, 'aborted')
  tokensIssued.add({ grant: 'refresh_token', app_type: 'web', app_source: 'settings' })
  for (const outcome of ['success', 'refused', 'limited', 'second-step-owed', 'failed'])
    signIns.add({ method: 'password', outcome })
  const instanceAdmin = {
    kind: 'session',
    userId: randomUUID(),
    sessionId: randomUUID(),
    instanceAdmin: true,
  } as const
  const slots = await readFigures(instanceAdmin, '30d')
  expect(slots.at(-1)).toMatchObject({
    requests: 3,
    errors: 1,
    signIns: 1,
    signInsRefused: 2,
    tokens: { refresh_token: 1 },
  })
})
