import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { runTool } from '../test/tool'

/** Node's own package for a platform: the one that is called `node` fetches it by a script, and scripts of packages do not run here. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/**
 * `npm run test:agents`: installs programs that speak the Model Context Protocol, as people run them, and has each find its way
 * from the address of /mcp to a tool's answer (e2e/agents). They are no dependencies of the product: what they bring is large,
 * and one of them takes a newer Node, another Python.
 */
const programs = [
  '@modelcontextprotocol/inspector@2.12.0',
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  'mcp-remote@0.15.1',
  `${nodePackage}@24`,
]

/** The official Python SDK in an environment of its own. @returns its Python; undefined where this machine has none */
function installPython(dir: string): string | undefined {
  try {
    execFileSync('python3', ['-m', 'venv', dir], { stdio: 'ignore' })
    const python = path.join(dir, 'bin/python')
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', 'mcp==2.3.0'], { stdio: 'inherit' })
    return python
  } catch {
    console.log('No Python with venv and pip here: the Python SDK is left out.')
    return undefined
  }
}

const dir = makeTemporaryData()
try {
  const install = ['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--prefix', dir]
  execFileSync('npm', [...install, ...programs], { cwd: dir, stdio: 'inherit' })
  const python = installPython(path.join(dir, 'python'))
  const env = {
    AGENT_PROGRAMS: path.join(dir, 'node_modules'),
    AGENT_PYTHON: python ?? '',
    AGENT_HOME: dir,
    AGENT_NODE: nodePackage,
  }
  const inBrowser = await runTool('playwright', ['test', '--config', 'e2e/agents.config.ts'], env)
  // SSO-managed agents need no browser. The product reaches their identity provider only in tests.
  const sent = ['run', '--project', 'integration', 'lib/edges/oauth/flows/unmodified-clients.db.test.ts']
  process.exitCode = (await runTool('vitest', sent, env)) || inBrowser
} finally {
  removeTemporaryData(dir)
}
