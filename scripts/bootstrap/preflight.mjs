import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { isAddressMissing, listenAddresses } from '../../lib/base/config/listen-addresses.mjs'
import { Refusal } from './refusal.mjs'

/**
 * Detects invalid settings before the installation and the build, which take minutes. Requires no packages.
 * lib/base/config/env.ts checks every setting after the packages are installed.
 */

const REACH_MS = 5_000

/**
 * Returns a setting without surrounding spaces, or undefined if it is unset or blank.
 * @param {string} name
 * @returns {string | undefined}
 */
const setting = (name) => process.env[name]?.trim() || undefined

/**
 * Checks PORT, HOST, BASE_URL, SECRET_KEY, and DATABASE_URL, whether the port is free, and whether the
 * database is reachable. If DATABASE_URL is not set, creates the data directory unless it exists, and checks
 * whether it is writable.
 * @throws {Refusal} for the first problem
 */
export async function preflight() {
  const port = checkPort()
  checkBaseUrl()
  checkSecretKey()
  checkDataDir()
  await checkPortIsFree(port, setting('HOST'))
  await checkDatabaseAnswers()
}

function checkPort() {
  const value = setting('PORT') ?? '3000'
  const port = Number(value)
  if (!/^\d+$/.test(value) || port < 1 || port > 65_535) {
    throw new Refusal(`PORT is "${value}", but must be a number from 1 to 65535, such as PORT=3000.`)
  }
  return port
}

function checkBaseUrl() {
  const value = setting('BASE_URL')
  if (value === undefined) return
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  ) {
    throw new Refusal(
      'BASE_URL must be an http or https origin without a path, such as https://login.example.com.',
    )
  }
}

function checkSecretKey() {
  const key = setting('SECRET_KEY')
  const make = 'Generate one with `openssl rand -hex 32`. Keep it, because it decrypts data in the database.'
  if (key === undefined && setting('DATABASE_URL') !== undefined) {
    throw new Refusal(`SECRET_KEY must be set if DATABASE_URL is set. ${make}`)
  }
  if (key !== undefined && key.length < 32) {
    throw new Refusal(`SECRET_KEY has ${key.length} characters, but needs at least 32. ${make}`)
  }
}

function checkDataDir() {
  if (setting('DATABASE_URL') !== undefined) return
  const dir = path.resolve(setting('DATA_DIR') ?? '.data')
  try {
    makeFolder(dir)
    fs.accessSync(dir, fs.constants.W_OK | fs.constants.X_OK)
  } catch {
    throw new Refusal(
      `The data directory ${dir} is not writable. Set DATA_DIR to a directory that this account can write to.`,
    )
  }
}

/**
 * Creates a folder and its parents unless they exist. Creates them one by one, because Node's recursive mkdir
 * never returns below /proc.
 * @param {string} dir
 */
function makeFolder(dir) {
  if (fs.existsSync(dir)) return
  makeFolder(path.dirname(dir))
  fs.mkdirSync(dir)
}

/** @param {number} port @param {string | undefined} host */
async function checkPortIsFree(port, host) {
  const [first, ...others] = listenAddresses(host)
  const problem = await listenProblem(port, first)
  if (problem) throw new Refusal(explainListen(problem, port, host))
  for (const address of others) {
    const other = await listenProblem(port, address)
    if (other && !isAddressMissing(other)) throw new Refusal(explainListen(other, port, host))
  }
}

/**
 * Tries to listen on a port.
 * @param {number} port
 * @param {string | undefined} address
 * @returns {Promise<string | undefined>} the code or message of the error, or undefined if the port is free
 */
const listenProblem = (port, address) =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code ?? error.message))
    server.listen(port, address, () => server.close(() => resolve(undefined)))
  })

/** @param {string} code @param {number} port @param {string | undefined} host */
function explainListen(code, port, host) {
  if (code === 'EADDRINUSE') {
    return `Port ${port} is already in use. Stop the program that uses it, or choose another port: PORT=${port + 1} npm start`
  }
  if (code === 'EACCES')
    return `This account is not allowed to use port ${port}. Choose a port above 1023, such as PORT=3000.`
  return `HOST is "${host}", which is not an address of this machine (${code}). Unset it to accept connections from this machine only, or set HOST=0.0.0.0 to listen on all its addresses.`
}

async function checkDatabaseAnswers() {
  const value = setting('DATABASE_URL')
  if (value === undefined) return
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
    throw new Refusal('DATABASE_URL must look like postgresql://user:password@host:5432/database.')
  }
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  if (host === '' || host.startsWith('/')) return // a socket file, which the driver checks
  const port = Number(url.port || 5432)
  const problem = await connectProblem(host.replace(/^\[|\]$/g, ''), port)
  if (problem) {
    throw new Refusal(
      `No database responds at ${host}:${port}, the address in DATABASE_URL (${problem}). Start the database or correct the address.`,
    )
  }
}

/**
 * Tries for up to five seconds to connect to a host and port.
 * @param {string} host
 * @param {number} port
 * @returns {Promise<string | undefined>} the reason for the failure, such as an error code, or undefined if
 *   the connection succeeds
 */
const connectProblem = (host, port) =>
  new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: REACH_MS })
    const end = (/** @type {string | undefined} */ problem) => {
      socket.destroy()
      resolve(problem)
    }
    socket.once('connect', () => end(undefined))
    socket.once('timeout', () => end('no response within 5 seconds'))
    socket.once('error', (/** @type {NodeJS.ErrnoException} */ error) => end(error.code ?? error.message))
  })
