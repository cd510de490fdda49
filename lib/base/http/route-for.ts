type Answer<Sent extends Request, Context> = (request: Sent, context: Context) => Response | Promise<Response>

const allowed = {
  GET: 'GET, HEAD, OPTIONS',
  POST: 'OPTIONS, POST',
  'GET or POST': 'GET, HEAD, OPTIONS, POST',
}

/**
 * Returns the handlers of a Next route: `export const { GET, … } = routeFor('POST', answer)`. The OPTIONS
 * handler returns
 * 204. The handlers of methods that the route does not accept return 405. Both responses contain an `Allow`
 * header (RFC 9110 section 15.5.6), which Next's own 405 response would lack.
 * @param answer handles the request; a HEAD request is handled like a GET request, but its response has no
 * body
 */
export function routeFor<Context, Sent extends Request = Request>(
  method: keyof typeof allowed,
  answer: Answer<Sent, Context>,
) {
  const allow = allowed[method]
  const refuse = () =>
    new Response(`This URL accepts only ${method} requests. Go back to the previous page.\n`, {
      status: 405,
      headers: { allow, 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' },
    })
  const taken = (asked: 'GET' | 'POST') => (method.split(' or ').includes(asked) ? answer : refuse)
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
