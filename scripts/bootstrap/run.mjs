import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { Refusal } from './refusal.mjs'

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Installs signal handlers that end this process and the programs that it is waiting for.
 * @returns {() => void} a function that removes these signal handlers, so that a later stage can install its
 * own
 */
export function stopOnSignals() {
  const stop = (/** @type {'SIGINT' | 'SIGTERM' | 'SIGHUP'} */ signal) => {
    for (const child of running) child.kill(signal)
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return () => {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

/**
 * Runs a program until it exits. Adds the folder `node_modules/.bin` below `cwd` to the program's PATH.
 * @param {string} what name of the step for the message, such as "Installing packages"
 * @param {string} program path of a JavaScript file, or a command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>} the end of the program's output, up to 200,000 characters
 * @throws {Refusal} with an excerpt of the output if the program fails
 */
export function run(what, program, args, { cwd, env = process.env }) {
  return new Promise((resolve, reject) => {
    const script = /\.[cm]?js$/.test(program)
    const child = spawn(script ? process.execPath : program, script ? [program, ...args] : args, {
      cwd,
      env: {
        ...env,
        [pathName(env)]: [path.join(cwd, 'node_modules', '.bin'), env[pathName(env)]].join(path.delimiter),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: !script && process.platform === 'win32',
    })
    running.add(child)
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk).slice(-200_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const fail = (/** @type {string} */ why) => {
      running.delete(child)
      reject(new Refusal(`${what} failed (${why}). Output:\n\n${gist(output)}`))
    }
    child.on('error', (error) => fail(error.message))
    child.on('close', (code, signal) => {
      running.delete(child)
      if (code === 0) resolve(output)
      else fail(signal ?? `exit code ${code}`)
    })
  })
}

/**
 * Returns the name of the PATH variable, which Windows spells differently. `run` extends this variable so
 * that tools find each other, as in npm scripts.
 * @param {NodeJS.ProcessEnv} env
 */
const pathName = (env) => Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'

/**
 * Returns an output without npm's warnings. Shortens a long output to its first and last lines, because the
 * cause usually comes first and the consequence last.
 * @param {string} text
 */
function gist(text) {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => !/^npm warn/i.test(line))
  return (lines.length <= 40 ? lines : [...lines.slice(0, 15), '...', ...lines.slice(-25)]).join('\n')
}
