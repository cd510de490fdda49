import { randomBytes } from 'node:crypto'
import type { Browser, Cookie, Page } from '@playwright/test'
import { startCallback } from '../clients/callback'
import { decide } from '../clients/consent'
import { query } from '../clients/query'
import { environment } from '../support/environment'
import { invite, join, type NewUser, signUp, signUpConfirmed } from '../support/sign-up'
import { newPublicKey } from '../support/ssh-key'
import { signInByForm } from '../support/test'
import { users } from '../support/users'

/** The role of the user who opens a page. The instance admin is not a member of the world's workspace. */
export type Role = 'anonymous' | 'viewer' | 'member' | 'admin' | 'instanceAdmin'
export const roles: Role[] = ['anonymous', 'viewer', 'member', 'admin', 'instanceAdmin']

/**
 * The data that the pages show: a workspace with objects of every kind, and one user for each role except
 * `anonymous`.
 */
export type World = {
  baseURL: string
  /** The session cookies of each role. */
  cookies: Record<Role, Cookie[]>
  admin: NewUser
  /** The path of the workspace. */
  workspace: string
  /** The path of one of the workspace's projects. */
  project: string
  /** The path of one of the project's environments. */
  environment: string
  /** The client ID of the workspace's web app. */
  clientId: string
  /** The web app's redirect URI. */
  redirectUri: string
  webhookId: string
  /** The ID of the admin's API token for the workspace. */
  workspaceTokenId: string
  /** The ID of a project token for the project. */
  projectTokenId: string
  /** The ID of the admin's authorization of the web app. */
  authorizationId: string
  /** The user ID of the workspace's admin. */
  adminId: string
  /** The ID of the workspace, which the URLs of the instance admin pages contain instead of the slug. */
  workspaceId: string
  /** The ID of an API that the instance admin registered. */
  apiId: string
  /** The path of an invitation that no one accepted. */
  invitation: string
}

type Made = { id: string }

/**
 * Creates the world through the product's pages and API, separately from the demo data that other tests use.
 * Only the instance admin is a user from the demo data.
 */
export async function makeWorld(browser: Browser, baseURL: string): Promise<World> {
  const as = async <T>(act: (page: Page) => Promise<T>): Promise<[T, Cookie[]]> => {
    const context = await browser.newContext({ baseURL, locale: 'en-GB' })
    const done = await act(await context.newPage())
    const cookies = await context.cookies()
    await context.close()
    return [done, cookies]
  }
  const callback = await startCallback()
  const [made, admin] = await as(async (page) => {
    const user = await signUpConfirmed(page, 'Katherine Johnson')
    const token = await createAccountToken(page)
    return { ...(await fillWorkspace(baseURL, token, callback.uri)), user }
  })
  const enter = (name: string, role: 'Member' | 'Viewer') =>
    as(async (page) => {
      const { email } = await signUp(page, name)
      const own = await page.context().cookies()
      await page.context().addCookies(admin)
      const link = await invite(page, made.workspace, email, role)
      await page.context().addCookies(own)
      await join(page, link)
    })
  const [, member] = await enter('Dorothy Vaughan', 'Member')
  const [, viewer] = await enter('Mary Jackson', 'Viewer')
  const [apiId, instanceAdmin] = await as(async (page) => {
    await signInByForm(page, users.ada.email, environment().demoPassword)
    return registerApi(page)
  })
  const [authorizationId] = await as(async (page) => {
    await page.context().addCookies(admin)
    await page.goto(authorizeAddress(made))
    await decide(page, { workspaces: ['Northwind'] })
    await callback.answer
    await page.goto('/account/apps')
    const link = page.getByRole('link', { name: 'Change access of Warehouse scanner' })
    return String(await link.getAttribute('href')).replace('/account/apps/', '')
  })
  await callback.close()
  const { user, ...rest } = made
  return {
    ...rest,
    baseURL,
    authorizationId,
    apiId,
    admin: user,
    cookies: { anonymous: [], viewer, member, admin, instanceAdmin },
  }
}

/** Registers an API with the form. @returns the API's ID */
async function registerApi(page: Page): Promise<string> {
  const own = randomBytes(4).toString('hex')
  await page.goto('/admin/apis/new')
  await page.getByLabel('Identifier').fill(`https://deliveries-${own}.northwind.example`)
  await page.getByLabel('Name', { exact: true }).fill('Deliveries')
  await page.getByLabel('Name of scope 1').fill(`deliveries-${own}:write`)
  await page.getByLabel('Description of scope 1').fill('Plan the deliveries of the projects you choose')
  await page.getByRole('button', { name: 'Register API' }).click()
  return page.getByRole('textbox', { name: 'API ID' }).inputValue()
}

async function createAccountToken(page: Page): Promise<string> {
  await page.goto('/account/tokens/new')
  await page.getByLabel('Token name').fill('Nightly backup')
  await page.getByRole('button', { name: 'Create token' }).click()
  return page.getByRole('textbox', { name: 'Token', exact: true }).inputValue()
}

async function fillWorkspace(baseURL: string, token: string, redirectUri: string) {
  const ask = <T>(text: string) => query<T>(baseURL, token, text)
  const { workspace, me } = await ask<{ workspace: Made & { slug: string }; me: Made }>(
    'mutation { workspace: workspaceCreate(input: { name: "Northwind" }) { id slug } }',
  ).then(async (made) => ({ ...made, ...(await ask<{ me: Made }>('{ me { id } }')) }))
  const { tracker, app, backups, hook, invitation } = await ask<{
    tracker: Made
    app: { oauthApp: Made }
    backups: { apiToken: Made }
    hook: { webhook: Made }
    invitation: { link: string }
  }>(`mutation {
    site: projectCreate(input: { workspaceId: "${workspace.id}", name: "Storefront",
      description: "The shop that customers see, with search, basket and checkout." }) { id }
    customs: projectCreate(input: { workspaceId: "${workspace.id}",
      name: "CustomsDeclarationsForParcelsThatLeaveTheEuropeanUnion" }) { id }
    tracker: projectCreate(input: { workspaceId: "${workspace.id}", name: "Parcel tracker",
      description: "Where a parcel is and when it arrives." }) { id }
    app: oauthAppCreate(input: { workspaceId: "${workspace.id}", name: "Warehouse scanner", type: WEB,
      redirectUris: ["${redirectUri}"], advanced: { installScopes: ["workspace:member", "project:viewer"] } }) { oauthApp { id } }
    invitation: workspaceInvitationCreate(input: { workspaceId: "${workspace.id}", role: MEMBER,
      email: "annie.easley@example.com" }) { link }
    key: sshPublicKeyCreate(input: { name: "Work laptop", publicKey: "${newPublicKey('katherine@laptop')}" }) { id }
    backups: apiTokenCreateWithDetails(input: { name: "Backups of Northwind", workspaceId: "${workspace.id}" }) { apiToken { id } }
    hook: webhookCreate(input: { workspaceId: "${workspace.id}", url: "https://hooks.northwind.example/latchkey",
      events: ["project.created"] }) { webhook { id } }
  }`)
  const { production, token: deployment } = await ask<{
    production: Made
    token: { projectToken: Made }
  }>(`mutation {
    production: environmentCreate(input: { projectId: "${tracker.id}", name: "production" }) { id }
    staging: environmentCreate(input: { projectId: "${tracker.id}", name: "staging" }) { id }
    token: projectTokenCreate(input: { projectId: "${tracker.id}", name: "DeploymentFromTheContinuousIntegrationServerOfTheWarehouse", role: VIEWER }) { projectToken { id } }
    guest: workspaceInvitationCreate(input: { projectId: "${tracker.id}", role: VIEWER,
      email: "christine.darden@example.com" }) { link }
  }`)
  await ask(`mutation {
    ${['DATABASE_URL', 'CARRIER_API_KEY', 'NOTIFICATION_SENDER_ADDRESS_FOR_DELAYED_PARCELS']
      .map(
        (name, index) =>
          `v${index}: variableUpsert(input: { environmentId: "${production.id}", name: "${name}", value: "secret" }) { id }`,
      )
      .join('\n')}
  }`)
  const home = `/workspaces/${workspace.slug}`
  const project = `${home}/projects/${tracker.id}`
  return {
    workspace: home,
    project,
    environment: `${project}/environments/${production.id}`,
    clientId: app.oauthApp.id,
    redirectUri,
    webhookId: hook.webhook.id,
    workspaceTokenId: backups.apiToken.id,
    projectTokenId: deployment.projectToken.id,
    adminId: me.id,
    workspaceId: workspace.id,
    invitation: new URL(invitation.link).pathname,
  }
}

/**
 * Returns the path and query of the authorization URL to which an app redirects a browser.
 * @param more further parameters, such as `prompt`
 */
export function authorizeAddress(
  { clientId, redirectUri }: Pick<World, 'clientId' | 'redirectUri'>,
  scope = 'openid email workspace:viewer',
  more: Record<string, string> = {},
): string {
  return `/oauth/auth?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  })}`
}
