type Answer<Sent extends Request, Context> = (request: Sent, context: Context) => Response | Promise<Response>

const allowed = {
  GET: 'GET, HEAD, OPTIONS',
  POST: 'OPTIONS, POST',
  'GET or POST': 'GET, HEAD, OPTIONS, POST',
}

/**
 * Returns the handlers of a route of Next: `export const { GET, … } = routeFor('POST', answer)`. Any other method gets a 405
 * that names the right ones in `Allow` (RFC 9110 section 15.5.6); Next's own does not, and shows a user nothing.
 * @param answer takes the request, and for HEAD answers as for GET; the body is dropped on the way
 */
export function routeFor<Context, Sent extends Request = Request>(
  method: keyof typeof allowed,
  answer: Answer<Sent, Context>,
) {
  const allow = allowed[method]
  const refuse = () =>
    new Response(`This address accepts only ${method}. Go back to the page you came from.\n`, {
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
