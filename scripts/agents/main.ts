import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { runTool } from '../test/tool'

/**
 * The npm package with Node for this platform. The package `node` would download it with an install script,
 * but .npmrc disables install scripts.
 */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/**
 * The npm packages that `npm run test:agents` installs: MCP clients that people use, a conformance suite, and
 * a current Node. Each client is tested with only the URL of /mcp (e2e/agents). The clients are not
 * dependencies, because they are large and some need a newer version of Node or Python.
 */
const programs = [
  '@modelcontextprotocol/inspector@2.12.0',
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  'mcp-remote@0.15.1',
  `${nodePackage}@24`,
]

/**
 * Installs the official Python SDK in a virtual environment. @returns the path of Python in this environment;
 * undefined if the installation fails
 */
function installPython(dir: string): string | undefined {
  try {
    execFileSync('python3', ['-m', 'venv', dir], { stdio: 'ignore' })
    const python = path.join(dir, 'bin/python')
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', 'mcp==2.3.0'], { stdio: 'inherit' })
    return python
  } catch {
    console.log(
      'Skipped the Python SDK, because it could not be installed. It requires Python with venv and pip.',
    )
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
  // Test SSO-managed agents in an integration test. These agents need no browser, and only integration tests
  // let the product reach an identity provider on this machine.
  const file = 'lib/edges/oauth/flows/interoperability.db.test.ts'
  const sent = ['run', '--project', 'integration', file, '-t', 'an SSO-managed agent']
  process.exitCode = (await runTool('vitest', sent, env)) || inBrowser
} finally {
  removeTemporaryData(dir)
}
