import { type ChildProcess, spawn } from 'node:child_process'
import { cleanEnvironment } from '@/lib/testing/test-environment'

/** A Node.js program that runs during a test, such as an example, a docs snippet, or a host for a library. */
export class Program {
  #output = ''
  readonly #child: ChildProcess
  readonly #waiting = new Set<() => void>()
  /** Resolves with the program's exit code when the program ends; null if a signal ended the program. */
  readonly ended: Promise<number | null>

  constructor(file: string, args: string[] = [], env: Record<string, string> = {}) {
    this.#child = spawn(process.execPath, [file, ...args], {
      env: { ...cleanEnvironment(), BROWSER: 'none', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output += chunk
        for (const check of this.#waiting) check()
      })
    }
    this.ended = new Promise((resolve) => this.#child.once('close', resolve))
    void this.ended.then(() => {
      for (const check of this.#waiting) check()
    })
  }

  get output(): string {
    return this.#output
  }

  /**
   * Waits until the program has printed a match.
   * @returns the pattern's first group or, if it has none, the whole match
   * @throws Error with all output if the program ends before it prints a match
   */
  async prints(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = pattern.exec(this.#output)
        if (found) resolve(found[1] ?? found[0])
        else if (this.#child.exitCode !== null)
          reject(new Error(`The program ended without printing ${pattern}:\n${this.#output}`))
        else return
        this.#waiting.delete(check)
      }
      this.#waiting.add(check)
      check()
    })
  }

  async stop(): Promise<void> {
    this.#child.kill()
    await this.ended
  }
}
