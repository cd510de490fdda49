import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { Refusal } from './refusal.mjs'

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Makes a signal end this process together with the program it waits for.
 * @returns {() => void} ends that, for a later stage with its own way to stop
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
 * Runs a program of ours to its end and keeps what it says to itself, unless it fails.
 * @param {string} what for the message, such as "Installing packages"
 * @param {string} program path of a JavaScript file for this Node, or a command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>} what it printed
 * @throws {Refusal} with the gist of its output when it fails
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
      reject(new Refusal(`${what} failed (${why}); it said:\n\n${gist(output)}`))
    }
    child.on('error', (error) => fail(error.message))
    child.on('close', (code, signal) => {
      running.delete(child)
      if (code === 0) resolve(output)
      else fail(signal ?? `exit code ${code}`)
    })
  })
}

/** Tools call each other by bare names, as below npm; Windows spells the variable its own way. @param {NodeJS.ProcessEnv} env */
const pathName = (env) => Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'

/** The cause tends to stand first, the consequence last. @param {string} text */
function gist(text) {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => !/^npm warn/i.test(line))
  return (lines.length <= 40 ? lines : [...lines.slice(0, 15), '...', ...lines.slice(-25)]).join('\n')
}
