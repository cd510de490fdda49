import { createRequire } from 'node:module'
import { NextRequest } from 'next/server'

const require = createRequire(import.meta.url)
const { workAsyncStorage } = require('next/dist/server/app-render/work-async-storage.external')
const { workUnitAsyncStorage } = require('next/dist/server/app-render/work-unit-async-storage.external')
const { HeadersAdapter } = require('next/dist/server/web/spec-extension/adapters/headers')
const { RequestCookiesAdapter } = require('next/dist/server/web/spec-extension/adapters/request-cookies')
const { RequestCookies } = require('next/dist/server/web/spec-extension/cookies')

type Handler<Context> = (request: NextRequest, context: Context) => Response | Promise<Response>

/**
 * Calls a route handler as Next does. `headers()` and `cookies()` from next/headers, which next-auth uses,
 * return the request's headers and cookies.
 * @param params the values of the route's dynamic segments, which are folders with names in brackets
 */
export async function callRoute<Params extends object>(
  handler: Handler<{ params: Promise<Params> }>,
  request: Request,
  params: Params,
): Promise<Response> {
  const asked = new NextRequest(request)
  const cookies = RequestCookiesAdapter.seal(new RequestCookies(asked.headers))
  const headers = HeadersAdapter.seal(asked.headers)
  const store = { type: 'request', phase: 'action', headers, cookies, userspaceMutableCookies: cookies }
  return workAsyncStorage.run({ route: asked.nextUrl.pathname }, () =>
    workUnitAsyncStorage.run(store, () => handler(asked, { params: Promise.resolve(params) })),
  )
}
