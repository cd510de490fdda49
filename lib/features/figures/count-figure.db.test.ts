import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { requestDuration, signIns, tokensIssued } from '@/lib/base/telemetry/metrics'
import { countWith } from '@/lib/base/telemetry/telemetry'
import { countMetric } from './count-figure'
import { readFigures } from './read-figures'

it('counts what is measured where it is measured, whether or not it is exported', async () => {
  countWith(countMetric)
  const asked = { 'http.request.method': 'POST', 'http.route': '/oauth/token' }
  const answered = { ...asked, 'http.response.status_code': 200, 'error.type': undefined }
  requestDuration.record(0.02, answered)
  requestDuration.record(0.3, { ...asked, 'http.response.status_code': 503, 'error.type': '503' })
  requestDuration.record(0.3, { ...asked, 'http.response.status_code': undefined, 'error.type': 'aborted' })
  requestDuration.record(0.001, { ...answered, 'http.route': '/readyz' })
  tokensIssued.add({ grant: 'refresh_token', app_type: 'web', app_source: 'settings' })
  for (const outcome of ['success', 'refused', 'limited', 'second-step-owed', 'failed'])
    signIns.add({ method: 'password', outcome })
  const operator = {
    kind: 'session',
    userId: randomUUID(),
    sessionId: randomUUID(),
    instanceAdmin: true,
  } as const
  const slots = await readFigures(operator, '30d')
  expect(slots.at(-1)).toMatchObject({
    requests: 3,
    errors: 1,
    signIns: 1,
    signInsRefused: 2,
    tokens: { refresh_token: 1 },
  })
})
