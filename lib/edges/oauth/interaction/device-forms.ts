import { derivedKeys, openToken, sealToken } from '@/lib/base/credentials/seal'
import { databaseNow } from '@/lib/base/db/clock'
import { countAttempt } from '@/lib/base/db/limits'
import { isAppError } from '@/lib/base/errors/app-error'
import { seeOther, toUserError, unavailablePage } from '@/lib/base/http/answers'
import { type FormFields, linesOf, readOwnForm } from '@/lib/base/http/body'
import { signInPath } from '@/lib/base/http/safe-next'
import { visitorFrom } from '@/lib/base/http/visitor'
import { noteActivity } from '@/lib/features/apps/activity/note-activity'
import { judgedScopes, requestedApis, scopeNames } from '@/lib/features/apps/authorizations/api-grants'
import { saveAuthorization } from '@/lib/features/apps/authorizations/save-authorization'
import { countUse } from '@/lib/features/figures/count-usage'
import { type BrowserSession, sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { isScope } from '@/lib/policy/scopes'
import { oauthEngine } from '../engine/provider'
import { acrOf, amrOf } from '../engine/sessions'
import {
  anchorMetadataClient,
  answerApprovalForm,
  isApprovalDecision,
  projectFromForm,
} from './answer-decision'
import { type ConsentView, loadConsentView } from './consent-view'
import {
  answerDevice,
  confirmPath,
  confirmPathOf,
  type DeviceRequest,
  findByTicket,
  findByUserCode,
} from './device-request'
import { tryPageOf } from './test-sign-in'

const wrongCode = {
  name: 'device-code',
  points: 30,
  seconds: 600,
  message: 'Too many codes were entered from your IP address. Wait a few minutes, then try again.',
}

const devicePage = (query: Record<string, string>) => `/device?${new URLSearchParams(query)}`

/** Returns the path of the page after a decision. After a test sign-in, this is the page that started it. */
function lastPage(
  done: 'authorized' | 'denied',
  client: { clientName?: string } | undefined,
  tryPage: string | undefined,
): string {
  return (
    tryPage ?? devicePage({ done, ...(client?.clientName ? { app: sealOutcome(client.clientName) } : {}) })
  )
}

/**
 * Handles POST /device/code with `user_code`, as the user typed it. Redirects to the decision page, or back
 * to the code form with the problem. Attempts are limited by IP address, because clients could otherwise
 * guess codes.
 */
export async function answerDeviceCode(request: Request): Promise<Response> {
  const form = await readOwnForm(request)
  if (form instanceof Response) return form
  const typed = (form.user_code ?? '').slice(0, 40)
  try {
    await countAttempt(wrongCode, visitorFrom(request.headers).ip ?? 'unknown')
  } catch (error) {
    if (!isAppError(error)) throw error
    return seeOther(devicePage({ error: 'limit', user_code: typed }))
  }
  const found = await findByUserCode(typed)
  if (!found) return seeOther(devicePage({ error: 'unknown', user_code: typed }))
  return seeOther(confirmPathOf(found))
}

/**
 * Handles POST /device/decision with `request` (the ticket), `decision`, and any number of `workspace` and
 * `project` IDs. The decisions and their additional fields are the same as for `answerDecision`. If the user
 * must sign in, redirects to the sign-in page. If the request was answered or has expired, redirects to the
 * code form with this problem.
 */
export async function answerDeviceDecision(request: Request): Promise<Response> {
  const form = await readOwnForm(request)
  if (form instanceof Response) return form
  const ticket = form.request ?? ''
  const cookies = request.headers.get('cookie') ?? undefined
  const session = await sessionFromCookies(cookies, visitorFrom(request.headers))
  if (!session) return seeOther(signInPath(confirmPath(ticket)))
  const device = await findByTicket(ticket)
  if (!device) return seeOther(devicePage({ error: 'gone' }))
  if (needsNewSignIn(device, session)) return seeOther(signInPath(confirmPath(ticket)))
  if (isApprovalDecision(form.decision)) return ask(device, ticket, session, form)
  if (form.decision === 'create') return createProjectFor(ticket, session, form)
  return form.decision === 'authorize'
    ? authorize(request, device, ticket, session, form)
    : deny(request, device, session)
}

/**
 * Returns the page that started the test sign-in to which the device's request belongs; undefined for any
 * other request.
 */
const tryPage = (request: Request, device: DeviceRequest, { user }: BrowserSession): string | undefined =>
  tryPageOf(request.headers.get('cookie') ?? undefined, user.id, device.userCode)

/**
 * Creates a project from the form. Redirects to the decision page, which preselects the project or shows the
 * problem.
 */
async function createProjectFor(ticket: string, session: BrowserSession, form: FormFields) {
  const { made, refused } = await projectFromForm(session.actor, form)
  return seeOther(
    confirmPath(ticket, { ...(made && { selected: made }), ...(refused && { project: refused }) }),
  )
}

/**
 * Returns whether the user must sign in again before they authorize a device, as at the authorization
 * endpoint (OpenID Connect Core sections 3.1.2.1 and 5.5.1.1). The app can require a recent sign-in
 * (`max_age` or `prompt=login`) or a stronger sign-in (an essential `acr` claim). oidc-provider turns
 * `max_age=0` into `prompt=login`. A sign-in that happened after the device's request is always recent
 * enough.
 */
function needsNewSignIn(device: DeviceRequest, { authTime, methods }: BrowserSession): boolean {
  const { max_age: maxAge, prompt } = device.params
  if (!isStrongEnough(device, acrOf(methods))) return true
  if (authTime >= device.requestedAt) return false
  if (
    String(prompt ?? '')
      .split(' ')
      .includes('login')
  )
    return true
  return maxAge !== undefined && databaseNow() - authTime.getTime() > Number(maxAge) * 1000
}

function isStrongEnough(device: DeviceRequest, acr: string): boolean {
  const { essential, value, values } = (requestedClaims(device)?.id_token?.acr ?? {}) as AcrRequest
  const accepted = [value, ...(Array.isArray(values) ? values : [])].filter((each) => each !== undefined)
  return essential !== true || accepted.length === 0 || accepted.includes(acr)
}

/** The app's request for the claim `acr` (OpenID Connect Core section 5.5.1). */
type AcrRequest = { essential?: unknown; value?: unknown; values?: unknown }

async function ask(device: DeviceRequest, ticket: string, session: BrowserSession, form: FormFields) {
  const { provider } = await oauthEngine()
  const client = await provider.Client.find(device.clientId)
  if (!client) return seeOther(devicePage({ error: 'gone' }))
  await anchorMetadataClient(client)
  const apis = await apisOf(device)
  const app = { clientId: device.clientId, scopes: judgedScopes(requestedScopes(device), apis) }
  const asked = await answerApprovalForm(session.actor, app, form)
  const selected = [...linesOf(form.workspace), ...linesOf(form.project)].slice(0, 100).join(' ')
  return seeOther(confirmPath(ticket, { asked, selected }))
}

/**
 * Returns an event for the app's activity, without its kind. The IP address and the user agent are those of
 * the device.
 */
const eventFor = (device: DeviceRequest, session: BrowserSession) => ({
  clientId: device.clientId,
  userId: session.user.id,
  scopes: requestedScopes(device),
  ip: device.from.ip,
  userAgent: device.from.ua,
})

async function deny(request: Request, device: DeviceRequest, session: BrowserSession): Promise<Response> {
  const { provider } = await oauthEngine()
  const client = await provider.Client.find(device.clientId)
  const answer = { error: 'access_denied', errorDescription: 'the user denied the request' }
  const done = await answerDevice(device, answer, null)
  if (done) noteActivity({ ...eventFor(device, session), kind: 'DENIED' })
  return seeOther(
    done ? lastPage('denied', client, tryPage(request, device, session)) : devicePage({ error: 'gone' }),
  )
}

async function authorize(
  request: Request,
  device: DeviceRequest,
  ticket: string,
  session: BrowserSession,
  form: FormFields,
) {
  const { provider } = await oauthEngine()
  const client = await provider.Client.find(device.clientId)
  if (!client) return seeOther(devicePage({ error: 'gone' }))
  const scopes = requestedScopes(device)
  const apiScopes = scopeNames(await apisOf(device))
  const claims = requestedClaims(device)
  const selection = { workspaceIds: linesOf(form.workspace), projectIds: linesOf(form.project) }
  const selected = [...selection.workspaceIds, ...selection.projectIds]
  let authorizationId: string
  try {
    await anchorMetadataClient(client)
    const saved = await saveAuthorization(session.actor, {
      clientId: client.clientId,
      scopes,
      apiScopes,
      ...selection,
    })
    authorizationId = saved.id
  } catch (error) {
    const refusal = toUserError(error)
    const kept = selected.slice(0, 100).join(' ')
    if (refusal.code === 'SERVICE_UNAVAILABLE')
      return unavailablePage(request, refusal, confirmPath(ticket, { selected: kept }))
    const refused = selected.length === 0 ? 'nothing-selected' : 'selection'
    return seeOther(confirmPath(ticket, { refused, selected: kept }))
  }
  const { resource } = device.params
  const answer = {
    accountId: session.user.id,
    authTime: Math.floor(session.authTime.getTime() / 1000),
    amr: amrOf(session.methods),
    acr: acrOf(session.methods),
    scope: [...scopes, ...apiScopes].join(' '),
    ...(claims ? { claims } : {}),
    ...(resource
      ? { resource: Array.isArray(resource) && resource.length === 1 ? resource[0] : resource }
      : {}),
  }
  const done = await answerDevice(device, answer, authorizationId)
  if (done) {
    countUse(client.clientId, 'authorizations')
    noteActivity({ ...eventFor(device, session), kind: 'SIGNED_IN' })
  }
  return seeOther(
    done ? lastPage('authorized', client, tryPage(request, device, session)) : devicePage({ error: 'gone' }),
  )
}

/** Returns the scopes that a device requested. Omits duplicates, unknown scopes, and scopes of APIs. */
const requestedScopes = (device: DeviceRequest): string[] => [
  ...new Set(
    String(device.params.scope ?? '')
      .split(' ')
      .filter(isScope),
  ),
]

/** Returns the APIs that a device requested, with the requested scopes. */
const apisOf = ({ params }: DeviceRequest) =>
  requestedApis(String(params.scope ?? '').split(' '), params.resource)

type Claims = { id_token?: Record<string, unknown> }

/**
 * Returns the claims that the device requested by name, or through `acr_values` or `max_age` (OpenID Connect
 * Core section 3.1.2.1). Returns undefined if it requested none.
 */
function requestedClaims({ params }: DeviceRequest): Claims | undefined {
  const claims = typeof params.claims === 'string' ? (JSON.parse(params.claims) as Claims) : {}
  const acr = params.acr_values === undefined ? {} : { acr: { values: String(params.acr_values).split(' ') } }
  const authTime = params.max_age === undefined ? {} : { auth_time: { essential: true } }
  const asked = { ...claims, id_token: { ...acr, ...claims.id_token, ...authTime } }
  return Object.values(asked).some((group) => Object.keys(group).length > 0) ? asked : undefined
}

/** The content of the page where the user decides about a device's request. */
export type DeviceView = ConsentView & {
  userCode: string
  requestedFrom: string | undefined
  /** Whether the request is a test sign-in that the same user started in the same browser. */
  test: boolean
  user: BrowserSession['user']
  uiLocales: string | undefined
}

/**
 * Loads the content of the page where the user decides about a device's request.
 * @param selected the IDs that a rejected form had selected, separated by spaces
 * @param cookies the Cookie header
 * @returns the content; `gone` if the ticket is invalid, the request was answered or has expired, or the app
 *   was deleted or disabled; `sign-in` if no one is signed in, or if the user must sign in again
 */
export async function loadDeviceView(
  ticket: string,
  session: BrowserSession | undefined,
  selected: string,
  cookies?: string,
): Promise<DeviceView | 'gone' | 'sign-in'> {
  const device = await findByTicket(ticket)
  if (!device) return 'gone'
  if (!session || needsNewSignIn(device, session)) return 'sign-in'
  const { provider } = await oauthEngine()
  const client = await provider.Client.find(device.clientId)
  if (!client) return 'gone'
  const kept = selected ? new Set(selected.split(' ')) : undefined
  const view = await loadConsentView(
    session.actor,
    client,
    requestedScopes(device),
    kept,
    await apisOf(device),
  )
  const { ip, ua } = device.from
  return {
    ...view,
    userCode: device.userCode,
    requestedFrom: [ua?.slice(0, 80), ip].filter(Boolean).join(', ') || undefined,
    test: tryPageOf(cookies, session.user.id, device.userCode) !== undefined,
    user: session.user,
    uiLocales: typeof device.params.ui_locales === 'string' ? device.params.ui_locales : undefined,
  }
}

const keys = () => derivedKeys('device-outcome')

/**
 * Encrypts the app's name for the last page of the device flow, so that a crafted URL cannot make our page
 * show arbitrary text.
 */
export const sealOutcome = (appName: string): string => sealToken(appName, keys())

/** Returns the decrypted app name; undefined for a value that this server did not encrypt. */
export const openOutcome = (sealed: string | undefined): string | undefined =>
  sealed ? openToken(sealed, keys()) : undefined
