import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makePerson, makeWorkspace } from '@/lib/testing/factories'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { authorizeUrl } from '@/lib/testing/oauth-flow'
import { signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'
import { oauthEngine } from '../engine/provider'
import { loadConsentView } from '../interaction/consent-view'
import { peekInteraction } from '../interaction/peek-interaction'

const { owner, web } = await startOAuthWorld()

/** A request that waits for somebody who is not signed in. */
async function waiting(params: Record<string, string> = {}) {
  const browser = new TestBrowser()
  const login = await browser.follow(authorizeUrl(web, params))
  const next = new URL(login.headers.get('location') as string, 'http://x').searchParams.get('next') as string
  return { browser, next }
}

describe('a sign-in on the way to an app', () => {
  it('knows the app, what it asks for and its language, by the address alone', async () => {
    const { next } = await waiting({ scope: 'openid project:viewer', ui_locales: 'fr-CA de' })
    expect(await peekInteraction(next)).toMatchObject({
      name: (await prisma().oAuthClient.findUniqueOrThrow({ where: { id: web.clientId } })).name,
      scopes: ['openid', 'project:viewer'],
      uiLocales: 'fr-CA de',
      cancelAction: `${next}/cancel`,
    })
  })

  it('shows the app in the colours of the page, before signing in and after', async () => {
    const data = { logoUrl: `/pictures/${randomUUID()}.webp`, logoDarkUrl: `/pictures/${randomUUID()}.webp` }
    const changed = { ...data, version: { increment: 1 } }
    await prisma().oAuthClient.update({ where: { id: web.clientId }, data: changed })
    expect(await peekInteraction((await waiting()).next)).toMatchObject(data)
    const client = await (await oauthEngine()).provider.Client.find(web.clientId)
    const actor = { kind: 'session', userId: owner.person.id } as never
    expect((await loadConsentView(actor, client as never, ['openid'])).app).toMatchObject(data)
  })

  it.each([
    undefined,
    '/',
    '/account/tokens',
    '/interaction/',
    '/interaction/nobody-made-this',
    '/interaction/a/b',
  ])('knows none at %s', async (next) => expect(await peekInteraction(next)).toBeUndefined())

  it('leads back to the app, which hears that access was denied', async () => {
    const { browser, next } = await waiting()
    const back = await browser.submit(`${next}/cancel`, [])
    const to = new URL(back.headers.get('location') as string)
    expect(to.href.startsWith(web.redirectUri)).toBe(true)
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ error: 'access_denied', state: 'the-state' })
    expect(await peekInteraction(next)).toBeUndefined()
  })

  it('is ended by nobody else', async () => {
    const { next } = await waiting()
    const stranger = new TestBrowser()
    const answer = await stranger.submit(`${next}/cancel`, [])
    expect(await answer.json()).toEqual({ kind: 'lost' })
    const foreign = await stranger.request(`${next}/cancel`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
    expect(await peekInteraction(next)).toBeDefined()
  })
})

describe('somebody without a project', () => {
  async function newcomer(role: 'ADMIN' | 'VIEWER' = 'ADMIN') {
    const person = await makePerson()
    const workspace = await makeWorkspace([[person, role]])
    const { provider } = await oauthEngine()
    const client = await provider.Client.find(web.clientId)
    const actor = { kind: 'session', userId: person.id, sessionId: '', instanceAdmin: false } as never
    const view = (selected?: string) =>
      loadConsentView(
        actor,
        client as never,
        ['openid', 'project:member'],
        selected === undefined ? undefined : new Set([selected]),
      )
    return { person, workspace, view }
  }

  it('makes one on the consent page, and finds it selected', async () => {
    const { person, workspace, view } = await newcomer()
    expect((await view()).places).toEqual([{ id: workspace.id, name: workspace.name }])
    const browser = await signedInBrowser(person.id)
    const start = await browser.request(authorizeUrl(web, { scope: 'openid project:member' }))
    const page = start.headers.get('location') as string
    const create = (fields: Record<string, string>) =>
      browser.request(`${page}/decision`, {
        method: 'POST',
        headers: {
          origin: new URL(authorizeUrl(web)).origin,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ decision: 'create', in: workspace.id, ...fields }).toString(),
      })
    const refused = await create({ 'project-name': ' ' })
    expect(refused.headers.get('location')).toContain('project=name')
    const made = await create({ 'project-name': 'My first project' })
    const { id } = await prisma().project.findFirstOrThrow({ where: { workspaceId: workspace.id } })
    expect(made.headers.get('location')).toMatch(new RegExp(`selected=${id}$`))
    const after = await view(id)
    expect(after.projects?.flatMap(({ options }) => options)).toMatchObject([
      { id, name: 'My first project', selected: true, own: 'ADMIN' },
    ])
    expect(after.places).toEqual([])
  })

  it('is offered no workspace where they cannot make one', async () => {
    expect((await (await newcomer('VIEWER')).view()).places).toEqual([])
  })

  it('makes none in somebody else’s workspace', async () => {
    const { person } = await newcomer()
    const browser = await signedInBrowser(person.id)
    const start = await browser.request(authorizeUrl(web, { scope: 'openid project:member' }))
    const before = await prisma().project.count({ where: { workspaceId: owner.workspace.id } })
    const answer = await browser.submit(`${start.headers.get('location')}/decision`, [
      ['decision', 'create'],
      ['project-name', 'Mine'],
      ['in', owner.workspace.id],
    ])
    expect(await answer.json()).toEqual({ kind: 'consent' })
    expect(await prisma().project.count({ where: { workspaceId: owner.workspace.id } })).toBe(before)
  })
})
