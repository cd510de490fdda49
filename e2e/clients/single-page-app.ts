import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** The packages that the page's script imports, with the files that a bundler would use. */
const packages: Record<string, string> = {
  'oidc-client-ts': 'node_modules/oidc-client-ts/dist/esm/oidc-client-ts.js',
  'jwt-decode': 'node_modules/jwt-decode/build/esm/index.js',
}

const imports = Object.fromEntries(Object.keys(packages).map((name) => [name, `/packages/${name}`]))

const page = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>
<p id="who"></p><button id="sign-in">Sign in</button><button id="sign-out">Sign out</button>
<script type="module" src="/app.js"></script>`

/**
 * Serves a single-page app as static files. All its logic runs in the browser.
 * @param script the app's own module
 */
export async function serveSinglePageApp(port: number, script: string): Promise<{ close: () => void }> {
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://127.0.0.1')
    const file = packages[pathname.replace('/packages/', '')]
    const isScript = file !== undefined || pathname === '/app.js'
    res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    res.end(file ? readFileSync(file) : isScript ? script : page)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
