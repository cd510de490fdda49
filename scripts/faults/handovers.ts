import { createRemoteJWKSet, jwtVerify } from 'jose'
import { config } from '@/lib/base/config/env'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { beginDevice, pollDevice } from '@/lib/testing/oauth-device'
import { newVerifier, refresh, requestToken, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import {
  askExplorer,
  beginSignIn,
  consent,
  expect,
  isSignedIn,
  type openReceiver,
  ownerOf,
  pushRequest,
  redeem,
  registerApp,
  signIn,
  signUp,
  type Visitor,
} from './visitor'

/** The environment of a handover: a webhook receiver. */
export type HandoverWorld = { receiver: Awaited<ReturnType<typeof openReceiver>> }

/**
 * Starts a flow at one release, and returns a function that finishes the flow at another. The drill's proxy
 * determines which release receives the requests.
 */
export type Handover = (world: HandoverWorld) => Promise<() => Promise<void>>

type Scene = { visitor: Visitor; app: Awaited<ReturnType<typeof registerApp>> }
const scene = async (): Promise<Scene> => ({ visitor: await signUp(), app: await registerApp() })

const tokensOf = async ({ visitor, app }: Scene) => {
  const pending = await beginSignIn(app, visitor.browser)
  return redeem(pending, await consent(pending, visitor))
}

const works = async (token: string, { email }: Visitor) => {
  expect((await userinfo(token)).body.email, email, 'the email claim at /oauth/me')
  expect(await ownerOf(token), email, 'the owner of the token at /graphql/v2')
}

const isDead = async (token: string) => {
  expect((await userinfo(token)).status, 401, 'the status of /oauth/me with an ended token')
  expect(await ownerOf(token), 'UNAUTHENTICATED', 'the response of /graphql/v2 to an ended token')
}

/**
 * All handovers by name. Start the handovers in `shortLived` last and finish them first. Omit these handovers
 * if a server must start in between.
 */
export const handovers: Record<string, Handover> = {
  'browser session': async () => {
    const visitor = await signUp()
    const browser = await signIn(visitor)
    return async () => {
      expect(await isSignedIn(browser), true, 'the session is known')
      const { me } = await askExplorer<{ me: { email: string } }>(browser, '{ me { email } }')
      expect(me.email, visitor.email, 'the user of the session')
      await signIn(visitor)
    }
  },

  'ended browser session': async () => {
    const browser = await signIn(await signUp())
    const copy = new TestBrowser()
    browser.lendSession(copy)
    expect(await isSignedIn(copy), true, 'the copied session is known')
    await browser.submit('/logout', [])
    return async () => expect(await isSignedIn(copy), false, 'the ended session is known')
  },

  'consent page': async () => {
    const { visitor, app } = await scene()
    const pending = await beginSignIn(app, visitor.browser)
    return async () => works((await redeem(pending, await consent(pending, visitor))).access_token, visitor)
  },

  'used authorization code': async () => {
    const { visitor, app } = await scene()
    const pending = await beginSignIn(app, visitor.browser)
    const code = await consent(pending, visitor)
    await redeem(pending, code)
    return async () => {
      const again = await requestToken(app, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: app.redirectUri,
        code_verifier: pending.verifier,
      })
      expect([again.status, again.body.error], [400, 'invalid_grant'], 'the answer to a used code')
    }
  },

  'device code': async () => {
    const { visitor, app } = await scene()
    const { body } = await beginDevice(app, deviceScope)
    return async () => {
      await approveDevice(visitor, body.user_code as string)
      await works((await polled(app, body.device_code as string)).access_token as string, visitor)
    }
  },

  'device approval': async () => {
    const { visitor, app } = await scene()
    const { body } = await beginDevice(app, deviceScope)
    await approveDevice(visitor, body.user_code as string)
    return async () => works((await polled(app, body.device_code as string)).access_token as string, visitor)
  },

  'access token': async () => {
    const world = await scene()
    const { access_token, id_token } = await tokensOf(world)
    return async () => {
      await works(access_token, world.visitor)
      const issuer = new URL('/oauth', config().BASE_URL).href
      const keys = createRemoteJWKSet(new URL('/oauth/jwks', config().BASE_URL))
      await jwtVerify(id_token, keys, { issuer, audience: world.app.clientId })
    }
  },

  'refresh token': async () => {
    const { visitor, app } = await scene()
    const first = await refresh(app, (await tokensOf({ visitor, app })).refresh_token)
    return async () => {
      const next = await refresh(app, first.body.refresh_token as string)
      expect(next.status, 200, 'the status of a rotation')
      await works(next.body.access_token as string, visitor)
      const repeated = await refresh(app, first.body.refresh_token as string)
      expect(repeated.body, next.body, 'the repeated answer within 30 seconds')
    }
  },

  'repeated rotation': async () => {
    const { visitor, app } = await scene()
    const { refresh_token } = await tokensOf({ visitor, app })
    const next = await refresh(app, refresh_token)
    return async () => {
      // Change the time of use, because starting a server can take longer than the 30 seconds in which a
      // response is repeated.
      await usedBefore(refresh_token, '1 second')
      expect((await refresh(app, refresh_token)).body, next.body, 'the repeated answer within 30 seconds')
    }
  },

  'replayed refresh token': async () => {
    const { visitor, app } = await scene()
    const { refresh_token } = await tokensOf({ visitor, app })
    const next = await refresh(app, refresh_token)
    await usedBefore(refresh_token, '1 minute')
    return async () => {
      const replayed = await refresh(app, refresh_token)
      expect([replayed.status, replayed.body.error], [400, 'invalid_grant'], 'the answer to a replay')
      const stolen = await refresh(app, next.body.refresh_token as string)
      expect([stolen.status, stolen.body.error], [400, 'invalid_grant'], 'the answer to its successor')
      await isDead(next.body.access_token as string)
    }
  },

  'revoked access': async () => {
    const world = await scene()
    const tokens = await tokensOf(world)
    await works(tokens.access_token, world.visitor)
    const body = new URLSearchParams({ client_id: world.app.clientId, token: tokens.refresh_token })
    const revoked = await fetch(new URL('/oauth/token/revocation', config().BASE_URL), {
      method: 'POST',
      body,
    })
    expect(revoked.status, 200, 'the status of a revocation')
    return async () => {
      expect((await refresh(world.app, tokens.refresh_token)).status, 400, 'a revoked refresh token')
      await isDead(tokens.access_token)
    }
  },

  'API token': async () => {
    const visitor = await signUp()
    const token = await createApiToken(visitor)
    return async () => {
      expect(await ownerOf(token), visitor.email, 'the owner of the API token')
      await deleteApiTokens(visitor)
      expect(await ownerOf(token), 'UNAUTHENTICATED', 'the answer to a deleted API token')
      expect(await ownerOf(await createApiToken(visitor)), visitor.email, 'the owner of a second API token')
    }
  },

  'deleted API token': async () => {
    const visitor = await signUp()
    const token = await createApiToken(visitor)
    expect(await ownerOf(token), visitor.email, 'the owner of the API token')
    await deleteApiTokens(visitor)
    return async () => expect(await ownerOf(token), 'UNAUTHENTICATED', 'the answer to a deleted API token')
  },

  'registered client': async () => {
    const { visitor, app } = await scene()
    return async () => {
      const headers = { authorization: `Bearer ${app.manageToken}` }
      const read = await fetch(new URL(app.manage, config().BASE_URL), { headers })
      expect([read.status, (await read.json()).client_id], [200, app.clientId], 'the registration')
      await works((await tokensOf({ visitor, app })).access_token, visitor)
    }
  },

  webhook: async ({ receiver }) => {
    const visitor = await signUp()
    const { webhookCreate } = await askExplorer<{ webhookCreate: { secret: string } }>(
      visitor.browser,
      'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { secret } }',
      { input: { workspaceId: visitor.workspaceId, url: receiver.url, events: ['project.created'] } },
    )
    // Reject the first attempt, so that the delivery is still queued when the other release takes over.
    receiver.accept(false)
    const [first, second] = [`queued-${visitor.email}`, `later-${visitor.email}`]
    await createProject(visitor, first)
    const id = await receiver.attempt(first, webhookCreate.secret, false)
    return async () => {
      receiver.accept(true)
      await createProject(visitor, second)
      await receiver.attempt(second, webhookCreate.secret, true)
      expect(await receiver.attempt(first, webhookCreate.secret, true), id, 'the id of the repeated delivery')
    }
  },

  'authorization code': async () => {
    const { visitor, app } = await scene()
    const pending = await beginSignIn(app, visitor.browser)
    const code = await consent(pending, visitor)
    return async () => {
      const tokens = await redeem(pending, code)
      await works(tokens.access_token, visitor)
      const again = await requestToken(app, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: app.redirectUri,
        code_verifier: pending.verifier,
      })
      expect([again.status, again.body.error], [400, 'invalid_grant'], 'the answer to a used code')
      await isDead(tokens.access_token)
    }
  },

  'pushed request': async () => {
    const { visitor, app } = await scene()
    const verifier = newVerifier()
    const url = await pushRequest(app, verifier)
    return async () => {
      const pending = await beginSignIn(app, visitor.browser, verifier, url)
      await works((await redeem(pending, await consent(pending, visitor))).access_token, visitor)
    }
  },
}

/** The handovers whose values expire after a minute. */
export const shortLived = ['authorization code', 'pushed request']

const deviceScope = { scope: 'openid email workspace:viewer' }

/** Enters a device's user code and authorizes the device. */
async function approveDevice({ browser, workspaceId }: Visitor, userCode: string): Promise<void> {
  const page = await browser.submit('/device/code', [['user_code', userCode]])
  await page.arrayBuffer()
  const request = new URL(page.url).searchParams.get('request')
  const done = await browser.submit('/device/decision', [
    ['request', request ?? ''],
    ['decision', 'authorize'],
    ['workspace', workspaceId],
  ])
  await done.arrayBuffer()
  expect(new URL(done.url).searchParams.get('done'), 'authorized', 'the page after a device’s approval')
}

async function polled(app: TestApp, code: string) {
  const { status, body } = await pollDevice(app, code)
  expect(status, 200, `the status of a device’s request (${body.error})`)
  return body
}

async function createApiToken({ browser }: Visitor): Promise<string> {
  const { apiTokenCreate } = await askExplorer<{ apiTokenCreate: string }>(
    browser,
    'mutation ($input: ApiTokenCreateInput!) { apiTokenCreate(input: $input) }',
    { input: { name: 'Drill', role: 'MEMBER' } },
  )
  return apiTokenCreate
}

async function deleteApiTokens({ browser }: Visitor): Promise<void> {
  const { apiTokens } = await askExplorer<{ apiTokens: { edges: { node: { id: string; name: string } }[] } }>(
    browser,
    '{ apiTokens { edges { node { id name } } } }',
  )
  const { id } = apiTokens.edges.find(({ node }) => node.name === 'Drill')?.node ?? {}
  await askExplorer(browser, 'mutation ($id: ID!) { apiTokenDelete(id: $id) }', { id })
}

const createProject = ({ browser, workspaceId }: Visitor, name: string) =>
  askExplorer(browser, 'mutation ($input: ProjectCreateInput!) { projectCreate(input: $input) { id } }', {
    input: { workspaceId, name },
  })

/** Sets the time at which a refresh token was used. @param ago a PostgreSQL interval before now */
const usedBefore = (token: string, ago: string) =>
  pool().query('UPDATE oauth_artifacts SET consumed_at = clock_timestamp() - $2::interval WHERE hash = $1', [
    hashCredential(token),
    ago,
  ])
