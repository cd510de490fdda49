import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { routeFor } from './route-for'

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const

it.each([
  ['GET', { GET: 200, HEAD: 200 }, 'GET, HEAD, OPTIONS'],
  ['POST', { POST: 200 }, 'OPTIONS, POST'],
  ['GET or POST', { GET: 200, HEAD: 200, POST: 200 }, 'GET, HEAD, OPTIONS, POST'],
] as const)(
  'routeFor accepts %s requests and responds to other methods with an Allow header',
  async (method, taken, allow) => {
    const route = routeFor(method, () => new Response('done'))
    for (const asked of methods) {
      const answer = await route[asked](new Request('http://localhost/', { method: asked }), undefined)
      const expected = {
        DELETE: 405,
        GET: 405,
        HEAD: 405,
        PATCH: 405,
        POST: 405,
        PUT: 405,
        OPTIONS: 204,
        ...taken,
      }
      expect([asked, answer.status]).toEqual([asked, expected[asked]])
      expect(answer.headers.get('allow')).toBe(answer.status === 200 ? null : allow)
    }
  },
)

it('every route.ts uses routeFor, formRoute, or mount', () => {
  const routes = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter(
    (file) => path.basename(file) === 'route.ts',
  )
  const others = routes.filter(
    (file) => !/ = (routeFor(<\w+>)?|formRoute|mount)\(/.test(readFileSync(path.join('app', file), 'utf8')),
  )
  expect(others).toEqual([])
})
