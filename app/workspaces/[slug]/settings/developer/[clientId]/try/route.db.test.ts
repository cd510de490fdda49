import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { answerDeviceDecision } from '@/lib/edges/oauth/interaction/device-forms'
import { joinWorkspace, makeUser } from '@/lib/testing/factories'
import { callRoute } from '@/lib/testing/next-route'
import { userAtDevicePages } from '@/lib/testing/oauth-device'
import { startOAuthWorld } from '@/lib/testing/oauth-world'
import { POST } from './route'

const { owner } = await startOAuthWorld()
const app = await owner.makeApp()
const path = `/workspaces/acme/settings/developer/${app.clientId}`

/** Sends the form of the button as a user, or without a session. */
const send = async (
  user: { id: string } | undefined,
  { origin = config().BASE_URL, slug = 'acme', scope = 'openid' } = {},
) => {
  const { form } = await userAtDevicePages((user ?? owner.user).id)
  const request = form(`${path}/try`, [['scope', scope]])
  request.headers.set('origin', origin)
  if (!user) request.headers.delete('cookie')
  return callRoute(POST, request, { slug, clientId: app.clientId })
}

describe('the Try sign-in route', () => {
  it('redirects to the consent page, and after the decision the user returns to the app’s page', async () => {
    const answer = await send(owner.user)
    expect(answer.status).toBe(303)
    const to = answer.headers.get('location') ?? ''
    expect(to).toMatch(/^\/device\/confirm\?request=/)
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^latchkey\.try=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
    const { form } = await userAtDevicePages(owner.user.id)
    const decision = form('/device/decision', [
      ['request', new URLSearchParams(to.split('?')[1]).get('request') ?? ''],
      ['decision', 'deny'],
    ])
    decision.headers.set('cookie', `${decision.headers.get('cookie')}; ${cookie.split(';', 1)[0]}`)
    expect((await answerDeviceDecision(decision)).headers.get('location')).toBe(`${path}/overview?tried=1`)
  })

  it('does not redirect to another site, even if the path contains a host name', async () => {
    const answer = await send(undefined, { slug: '/elsewhere.example' })
    const next = new URL(answer.headers.get('location') ?? '', config().BASE_URL)
    expect(next.origin).toBe(config().BASE_URL)
    expect(next.searchParams.get('next')).toMatch(/^\/workspaces\/%2Felsewhere\.example\/settings/)
  })

  it('rejects a request from another site', async () => {
    const answer = await send(owner.user, { origin: 'https://elsewhere.example' })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
  })

  it('does not start a test sign-in for users who cannot manage the app', async () => {
    const member = await makeUser()
    await joinWorkspace(owner.workspace, member, 'MEMBER')
    for (const user of [member, await makeUser()]) {
      const answer = await send(user)
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([404, []])
    }
  })

  it('shows why the test sign-in cannot start', async () => {
    const answer = await send(owner.user, { scope: 'openid '.repeat(60) })
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('up to 400 characters')
  })
})
