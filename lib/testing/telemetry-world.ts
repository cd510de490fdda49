import { expect } from 'vitest'
import { testPassword } from './factories'
import { offline, signInToApp } from './oauth-flow'
import { startOAuthWorld } from './oauth-world'
import { observeThisProcess } from './telemetry'

/**
 * Starts the product's server with telemetry, creates an owner and two apps, and signs the owner in to the
 * web app.
 */
export async function startTelemetryWorld() {
  const observed = await observeThisProcess()
  const world = await startOAuthWorld()
  const { server, owner, web, cli } = world
  const shared = { workspaces: [owner.workspace.id] }
  const asked = { ...offline, scope: `${offline.scope} workspace:viewer` }
  const { body } = await signInToApp(owner.browser, web, asked, shared)
  const access = String(body.access_token)

  /** Private values that must not be exported. Tests add their own values. */
  const known: Record<string, string> = {
    email: owner.user.email,
    name: owner.user.name,
    user: owner.user.id,
    workspace: owner.workspace.id,
    project: owner.project.id,
    slug: owner.workspace.slug,
    app: web.clientId,
    native: cli.clientId,
    secret: String(web.secret),
    password: testPassword,
    agent: 'an-unknown-browser',
    operation: 'OperationOfACaller',
    variable: 'a-variable-of-a-caller',
    redirect: web.redirectUri,
    state: 'the-state',
    access,
    refresh: String(body.refresh_token),
    id: String(body.id_token),
  }

  return {
    ...world,
    observed,
    access,
    known,
    askGraphQL: (query: string, variables: object = {}, headers: object = {}) =>
      server.fetch('/graphql/v2', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${access}`,
          'user-agent': String(known.agent),
          ...headers,
        },
        body: JSON.stringify({ query, variables }),
      }),
    /**
     * Checks that the telemetry exported so far includes /oauth/token, but no private value, credential, or
     * client IP address.
     */
    async expectNothingPrivate() {
      const everything = `${observed.everything()}\n${await observed.text()}`
      expect(Object.entries(known).filter(([, value]) => everything.includes(value))).toEqual([])
      expect(everything).not.toMatch(/lk_[a-z]+_|127\.0\.0\.1/)
      expect(everything).toContain('/oauth/token')
    },
  }
}
