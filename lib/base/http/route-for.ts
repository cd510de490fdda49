type Answer<Context> = (request: Request, context: Context) => Response | Promise<Response>

/**
 * A route of Next's that takes one method: `export const { GET, … } = routeFor('POST', answer)`. Any other is a 405 that says
 * so in `Allow`, as it must (RFC 9110 section 15.5.6); Next's own goes without, and shows a person nothing.
 * @param answer takes the request, and for HEAD answers as for GET; the body is dropped on the way
 */
export function routeFor<Context>(method: 'GET' | 'POST', answer: Answer<Context>) {
  const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'OPTIONS, POST'
  const refuse = () =>
    new Response(`This address takes ${method} alone. Go back to the page you came from.\n`, {
      status: 405,
      headers: { allow, 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' },
    })
  const taken = (asked: 'GET' | 'POST') => (asked === method ? answer : refuse)
  return {
    DELETE: refuse,
    GET: taken('GET'),
    HEAD: taken('GET'),
    OPTIONS: () => new Response(null, { status: 204, headers: { allow } }),
    PATCH: refuse,
    POST: taken('POST'),
    PUT: refuse,
  }
}
