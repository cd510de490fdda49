import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import inject, { type DispatchFunc } from 'light-my-request'
import { renderToStaticMarkup } from 'react-dom/server'
import {
  forgotPasswordPage,
  resetPasswordPage,
  signUpPage,
  verifyEmailPage,
} from '@/app/(auth)/account-pages'
import { connectPage, secondStepPage, signInPage, ssoSignInPage } from '@/app/(auth)/sign-in-pages'
import { deviceConfirmPage, devicePage } from '@/app/device/device-pages'
import { interactionPage } from '@/app/interaction/consent-page'
import { config } from '@/lib/base/config/env'
import { toOutageError } from '@/lib/base/db/database-errors'
import { type AppError, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { showsProviders } from '@/lib/base/http/addresses'
import { messagePage, unavailablePage } from '@/lib/base/http/answers'
import { csrfHeader, languageFrom, readTheme, themeCookie } from '@/lib/base/http/visitor'
import { sayIn } from '@/lib/base/language/say'
import { log } from '@/lib/base/log/log'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { usableProviders } from '@/lib/features/identity/identities'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'
import { policyHeader } from '@/lib/server/content-security-policy'
import type { NodeHandler } from '@/lib/server/dispatch'
import type { AuthPage, Visit } from './auth-page'
import { type Build, documentOf, readBuild } from './document'
import { forms } from './forms'

/**
 * Returns the definition of a docs page. The texts, the code highlighting, and the reference are imported
 * when they are first needed, because the server can start without them.
 */
const docsPage = (route: string): AuthPage => ({
  show: async (visit) => (await import('@/app/docs/draw-docs')).drawDocs(route, visit),
})

const docsRoutes = [
  ...docsNavigation.flatMap(({ pages }) => pages.map(({ href }) => href)),
  ...['/docs/search', '/docs/graphql/[type]', '/docs/reference/[noun]'],
]

/**
 * The pages that our own server renders without Next: the auth pages and the docs. Each key is a route,
 * written like the folder names below app/. For an auth page, the `page.tsx` of the route passes the same
 * definition to Next.
 */
export const pages: Record<string, AuthPage> = {
  '/login': signInPage,
  '/interaction/[uid]': interactionPage,
  '/login/sso': ssoSignInPage,
  '/login/verify': secondStepPage,
  '/login/connect': connectPage,
  '/signup': signUpPage,
  '/device': devicePage,
  '/device/confirm': deviceConfirmPage,
  '/forgot-password': forgotPasswordPage,
  '/reset-password': resetPasswordPage,
  '/verify-email': verifyEmailPage,
  ...Object.fromEntries(docsRoutes.map((route) => [route, docsPage(route)])),
}

/**
 * Returns a handler that answers requests for the auth pages, their forms, and the docs without Next, and
 * passes all other requests on to Next. Next would render each page twice: as a document, and as data for
 * scripts that these pages do not have. For most forms, Next would also need more time to pass the form to a
 * route handler than the handler needs to process it. See ADR 0030.
 *
 * If a page fails, the handler passes the request on to Next, which renders the page itself and reports the
 * error. During a database outage, the handler responds with status 503 instead, because Next would wait for
 * the database a second time.
 * @param nextPages Next's request handler
 */
export function answerAuthPages(nextPages: NodeHandler): NodeHandler {
  let reading: Promise<Build> | undefined
  const build = () => {
    reading ??= readBuild(nextPages).catch((error) => {
      reading = undefined
      log.warn('auth pages are left to Next, whose build could not be read', { error })
      throw error
    })
    return reading
  }
  return async (req, res) => {
    // A request has no policy header if its path could be interpreted in different ways
    // (lib/server/content-security-policy). Leave such a request to Next, which decodes the path, and to
    // proxy.ts, which sets the policy.
    const isUsual = req.headers[policyHeader] !== undefined
    const answered =
      (isUsual && req.method === 'POST' && (await answerForm(req, res, build))) ||
      (isUsual && isPageView(req) && (await answerPage(req, res, build, nextPages)))
    if (!answered) await nextPages(req, res)
  }
}

/**
 * Returns whether a request is a page view in a browser. Requests from Next's client router and requests for
 * Markdown (app/docs/markdown) are not page views.
 */
const isPageView = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && headers.rsc === undefined && !headers.accept?.includes('text/markdown')

/** Answers a page view. @returns false if Next must answer it */
async function answerPage(
  req: IncomingMessage,
  res: ServerResponse,
  build: () => Promise<Build>,
  nextPages: NodeHandler,
): Promise<boolean> {
  const [path, query] = (req.url as string).split(/\?(.*)/s) as [string, string?]
  const match = findPage(path)
  if (!match) return false
  const { found: page, params } = match
  try {
    if (showsProviders(path)) await addCsrfToken(req, res, nextPages)
    const shown = await page.show({ params, query: readQuery(query), headers: headersOf(req) })
    if (!shown) return false
    const known = await build()
    const html =
      'to' in shown
        ? undefined
        : documentOf(known, page, shown, renderToStaticMarkup(shown.page), themeOf(req))
    for (const [name, value] of Object.entries(known.headers)) res.setHeader(name, value)
    if ('to' in shown) res.writeHead(307, { location: shown.to, 'content-length': 0 }).end()
    else sendPage(req, res, html as string, shown.say.language)
    return true
  } catch (error) {
    const outage = toOutageError(error, 'page')
    if (!outage) return false
    await sendOutage(req, res, outage)
    return true
  }
}

/**
 * Removes the header for next-auth's CSRF token from the request. If identity providers are configured, gets
 * a token, adds the token to the request, and adds the matching cookie to the response. With the token, the
 * provider buttons can be plain forms. See ADR 0026.
 */
async function addCsrfToken(
  req: IncomingMessage,
  res: ServerResponse,
  nextPages: NodeHandler,
): Promise<void> {
  delete req.headers[csrfHeader]
  if (usableProviders().length === 0) return
  const { headers, payload } = await inject(nextPages as DispatchFunc, {
    url: '/api/auth/csrf',
    headers: {
      host: new URL(config().BASE_URL).host,
      cookie: req.headers.cookie ?? '',
      [policyHeader]: `default-src 'none'`,
    },
  })
  req.headers[csrfHeader] = (JSON.parse(payload) as { csrfToken: string }).csrfToken
  for (const cookie of [headers['set-cookie'] ?? []].flat()) res.appendHeader('set-cookie', cookie)
}

/**
 * Matches the names of headers that describe a page's document and do not apply to the response to a form.
 */
const ofDocument = /^(content-type|link)$/

/**
 * Answers a submitted form.
 * @returns false if Next must answer it
 * @throws the errors of the form's handler, except for a database outage, which is answered with status 503
 */
async function answerForm(
  req: IncomingMessage,
  res: ServerResponse,
  build: () => Promise<Build>,
): Promise<boolean> {
  const path = (req.url as string).split('?', 1)[0] as string
  const match = findForm(path)
  const known = match && (await build().catch(() => undefined))
  if (!known) return false
  for (const [name, value] of Object.entries(known.headers)) {
    if (!ofDocument.test(name)) res.setHeader(name, value)
  }
  try {
    await sendResponse(res, await match.found(requestOf(req), match.params))
  } catch (error) {
    const outage = toOutageError(error, 'form')
    if (!outage) throw error
    const page = path.replace(/\/\w+$/, '')
    await sendResponse(res, unavailablePage({ headers: headersOf(req) }, outage, page))
  }
  return true
}

const parameter = /\[(\w+)\]/g

/**
 * Returns a function that finds the entry for a path, with the values of the dynamic segments. A dynamic
 * segment matches only letters, digits, underscores, and hyphens.
 * @param table entries by route, such as `/interaction/[uid]`
 */
function routesOf<T>(table: Record<string, T>) {
  const patterns = Object.entries(table)
    .filter(([route]) => route.includes('['))
    .map(([route, found]) => ({
      found,
      pattern: new RegExp(`^${route.replace(parameter, '(?<$1>[\\w-]+)')}$`),
    }))
  return (path: string): { found: T; params: Record<string, string> } | undefined => {
    if (Object.hasOwn(table, path)) return { found: table[path] as T, params: {} }
    for (const { found, pattern } of patterns) {
      const match = pattern.exec(path)
      if (match) return { found, params: { ...match.groups } }
    }
    return undefined
  }
}

export const findPage = routesOf(pages)
const findForm = routesOf(forms)

const headersOf = ({ headers }: IncomingMessage): Headers =>
  new Headers(Object.entries(headers).filter((each): each is [string, string] => typeof each[1] === 'string'))

/** Returns the color scheme that the user chose in the console, or undefined to use the system's. */
const themeOf = ({ headers }: IncomingMessage) => readTheme(cookieValue(headers.cookie, themeCookie()))

function readQuery(text = ''): Visit['query'] {
  const query: Visit['query'] = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}

/** Returns the request as a fetch Request. If a handler stops reading the body, the connection stays open. */
const requestOf = (req: IncomingMessage): Request =>
  new Request(new URL(req.url as string, config().BASE_URL), {
    method: 'POST',
    headers: headersOf(req),
    body: req.iterator({ destroyOnReturn: false }),
    duplex: 'half',
  } as unknown as RequestInit)

/**
 * Sends a page, compressed if the browser accepts gzip. Pages of up to a kilobyte are not compressed, because
 * compression would save almost nothing.
 */
function sendPage({ headers }: IncomingMessage, res: ServerResponse, html: string, language: string): void {
  const whole = Buffer.from(html)
  const gzip = whole.length > 1024 && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  const body = gzip ? gzipSync(whole) : whole
  if (gzip) res.setHeader('content-encoding', 'gzip')
  res.setHeader('content-language', language)
  res.appendHeader('vary', 'accept, accept-language, cookie')
  res.writeHead(200, { 'content-length': body.length }).end(body)
}

async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
  for (const [name, value] of response.headers) {
    if (name === 'set-cookie') res.appendHeader(name, value)
    else res.setHeader(name, value)
  }
  const body = Buffer.from(await response.arrayBuffer())
  res.writeHead(response.status, { 'content-length': body.length }).end(body)
}

async function sendOutage(req: IncomingMessage, res: ServerResponse, outage: AppError): Promise<void> {
  const { url = '/' } = req
  const say = sayIn(languageFrom(headersOf(req)))
  const response = messagePage({
    say,
    status: 503,
    title: say('page.away'),
    text: say.known(outage.message),
    link: { href: url, label: say('page.again') },
    headers: { 'retry-after': String(outageRetrySeconds) },
  })
  await sendResponse(res, response)
}
