// Hosts next-auth as a relying party on Node's HTTP server, without Next.js API routes. Environment
// variables: PORT, and PROVIDER (the path of the file that contains the provider from the docs).
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const port = Number(process.env.PORT)
const origin = `http://localhost:${port}`
Object.assign(process.env, { NEXTAUTH_URL: origin, NEXTAUTH_SECRET: 'only-for-this-test-only-for-this-test' })
const NextAuth = createRequire(import.meta.url)('next-auth').default

const { provider } = await import(process.env.PROVIDER)

createServer(async (req, res) => {
  const url = new URL(req.url, origin)
  if (!url.pathname.startsWith('/api/auth/')) {
    res.setHeader('content-type', 'text/html')
    return res.end('<link rel="icon" href="data:,"><h1>An app with next-auth</h1>')
  }
  req.query = {
    ...Object.fromEntries(url.searchParams),
    nextauth: url.pathname.slice('/api/auth/'.length).split('/'),
  }
  req.cookies = Object.fromEntries(
    (req.headers.cookie ?? '')
      .split('; ')
      .filter(Boolean)
      .map((pair) => [
        pair.slice(0, pair.indexOf('=')),
        decodeURIComponent(pair.slice(pair.indexOf('=') + 1)),
      ]),
  )
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  req.body = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
  res.status = (code) => {
    res.statusCode = code
    return res
  }
  res.redirect = (to) => res.writeHead(302, { location: to }).end()
  res.json = (body) => res.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  res.send = (body) => (typeof body === 'object' ? res.json(body) : res.end(body))
  await NextAuth(req, res, { providers: [provider] })
}).listen(port, 'localhost', () => console.log(`next-auth is ready at ${origin}`))
