import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { makePerson, makeProject, makeWorkspace } from '@/lib/testing/factories'
import { openConsent, outcome } from '@/lib/testing/oauth-consent'
import { authorize } from '@/lib/testing/oauth-flow'
import { makeOwner, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web } = await startOAuthWorld()

describe('consent is asked', () => {
  it('once for a web app from the settings, and again for more scopes', async () => {
    const app = await owner.makeApp()
    expect(await outcome(owner.browser, app)).toBe('consent')
    await authorize(owner.browser, app, { scope: 'openid email' })
    expect(await outcome(owner.browser, app, { scope: 'openid email' })).toBe('code')
    expect(await outcome(owner.browser, app, { scope: 'openid' })).toBe('code')
    expect(await outcome(owner.browser, app, { scope: 'openid profile' })).toBe('consent')
    expect(await outcome(owner.browser, app, { prompt: 'consent' })).toBe('consent')
    await authorize(owner.browser, app, { scope: 'openid profile' })
    expect(await outcome(owner.browser, app, { scope: 'openid email profile' })).toBe('code')
  })

  it('in no other browser of the same person again', async () => {
    const app = await owner.makeApp()
    await authorize(owner.browser, app)
    expect(await outcome(await signedInBrowser(owner.person.id), app)).toBe('code')
  })

  it('again when nothing that was selected remains', async () => {
    const app = await owner.makeApp()
    const team = await makeWorkspace([[owner.person, 'MEMBER']])
    const asked = { scope: 'openid workspace:viewer' }
    await authorize(owner.browser, app, asked, { workspaces: [team.id] })
    expect(await outcome(owner.browser, app, asked)).toBe('code')
    await prisma().workspaceMember.delete({
      where: { workspaceId_userId: { workspaceId: team.id, userId: owner.person.id } },
    })
    expect(await outcome(owner.browser, app, asked)).toBe('consent')
  })
})

describe('the decision', () => {
  it('records what was selected, and only that', async () => {
    const app = await owner.makeApp()
    const scope = 'openid workspace:viewer project:member'
    const approval = { workspaces: [owner.workspace.id], projects: [owner.project.id] }
    await authorize(owner.browser, app, { scope }, approval)
    const saved = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
    expect(saved).toMatchObject({
      userId: owner.person.id,
      scopes: scope.split(' '),
      workspaceIds: [owner.workspace.id],
      projectIds: [owner.project.id],
    })
  })

  it('needs a selection where a scope asks for one', async () => {
    const page = await openConsent(owner.browser, web, { scope: 'openid project:viewer' })
    const again = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize']])
    expect(again.status).toBe(200)
    expect(new URL(again.url).pathname).toBe(page)
    expect(new URL(again.url).searchParams.get('refused')).toBe('nothing-selected')
    const done = await owner.browser.submit(`${page}/decision`, [
      ['decision', 'authorize'],
      ['project', owner.project.id],
    ])
    expect(done.headers.get('location')).toContain('code=')
  })

  it('cannot share what the person has no role in', async () => {
    const stranger = await makeOwner()
    const page = await openConsent(owner.browser, web, { scope: 'openid workspace:viewer project:viewer' })
    for (const field of [
      ['workspace', stranger.workspace.id],
      ['project', stranger.project.id],
    ] as [string, string][]) {
      const refused = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize'], field])
      expect(new URL(refused.url).searchParams.get('refused')).toBe('selection')
    }
  })

  it('lets a member from outside the workspace share a project', async () => {
    const guest = await makePerson()
    const project = await makeProject(owner.workspace, [[guest, 'VIEWER']])
    const answer = await authorize(
      await signedInBrowser(guest.id),
      await owner.makeApp(),
      { scope: 'openid project:viewer' },
      { projects: [project.id] },
    )
    expect(answer.get('code')).toBeTruthy()
  })

  it('to deny returns access_denied with state and changes nothing', async () => {
    const app = await owner.makeApp()
    const answer = await authorize(owner.browser, app, {}, { decision: 'deny' })
    expect(Object.fromEntries(answer)).toMatchObject({
      error: 'access_denied',
      state: 'the-state',
      iss: `${config().BASE_URL}/oauth`,
    })
    expect(await prisma().authorization.count({ where: { clientId: app.clientId } })).toBe(0)
  })

  it('is taken from our own pages alone', async () => {
    const page = await openConsent(owner.browser, web)
    for (const origin of ['https://evil.example', 'null']) {
      const refused = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize']], { origin })
      expect(refused.status).toBe(403)
    }
  })

  it('twice is no error of ours: the second one finds the request gone', async () => {
    const page = await openConsent(owner.browser, web)
    const fields: [string, string][] = [['decision', 'authorize']]
    const first = await owner.browser.submit(`${page}/decision`, fields)
    expect(first.headers.get('location')).toContain('code=')
    const second = await owner.browser.submit(`${page}/decision`, fields)
    expect(await second.json()).toEqual({ kind: 'lost' })
    expect(await (await owner.browser.request(page)).json()).toEqual({ kind: 'lost' })
  })

  it('works in two tabs at once', async () => {
    const [one, two] = [await openConsent(owner.browser, web), await openConsent(owner.browser, web)]
    for (const page of [one, two]) {
      const done = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize']])
      expect(done.headers.get('location')).toContain('code=')
    }
  })

  it('is lost with its cookie, after an hour, and in another browser', async () => {
    const page = await openConsent(owner.browser, web)
    const other = await signedInBrowser(owner.person.id)
    expect(await (await other.request(page)).json()).toEqual({ kind: 'lost' })
    owner.browser.dropCookies(/^latchkey_interaction/)
    expect(await (await owner.browser.request(page)).json()).toEqual({ kind: 'lost' })
    const old = await openConsent(owner.browser, web)
    await pool().query(`DELETE FROM oauth_artifacts WHERE model = 'Interaction'`)
    expect(await (await owner.browser.request(old)).json()).toEqual({ kind: 'lost' })
  })

  it('of a lost resume cookie ends on a page, not in an error of ours', async () => {
    const page = await openConsent(owner.browser, web)
    owner.browser.dropCookies(/^latchkey_resume/)
    const lost = await owner.browser.submit(`${page}/decision`, [['decision', 'authorize']])
    expect(lost.status).toBe(400)
  })
})
