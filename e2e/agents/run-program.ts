import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** A running program, with its output and the URLs that the user must open. */
export type Running = {
  /** The URL that the program prints for the user to open. */
  asks: Promise<string>
  /** A second URL for the user to open, which the program prints if the program needs another scope. */
  asksAgain: Promise<string>
  /**
   * Resolves with the program's standard output when the program ends.
   * @throws Error with all output if the exit code is not 0
   */
  answer: Promise<string>
  /** Resolves like `answer`, but with the program's standard output and standard error. */
  account: Promise<string>
  /** Sends a line to the program's standard input. */
  tell: (line: string) => void
  /** Waits until the program has printed the given text to standard output. */
  prints: (text: string) => Promise<void>
  stop: () => void
}

/**
 * Authorization URLs. The output must continue after a URL, because a URL at the end of the output can be
 * incomplete.
 */
const authorization = /https?:\/\/[^\s"']+\/oauth\/auth\?[^\s"']+(?=[\s"'])/g

/** Returns the path of a program that scripts/agents installed. */
export const programAt = (file: string): string => path.join(process.env.AGENT_PROGRAMS as string, file)

/**
 * Returns the path of a Node.js executable that every program supports. Some programs require a newer version
 * of Node.js than the tests use.
 */
export const newNode = (): string => programAt(`${process.env.AGENT_NODE}/bin/node`)

/** Starts a program with its own home folder, and prevents the program from opening a browser. */
export function runProgram(command: string, args: string[]): Running {
  const home = fs.mkdtempSync(path.join(process.env.AGENT_HOME as string, 'home-'))
  const child = spawn(command, args, {
    cwd: home,
    // The program has no terminal, so MCP_AUTO_OPEN_ENABLED prevents the Inspector from prompting for input.
    env: { ...process.env, HOME: home, BROWSER: 'none', CI: '', MCP_AUTO_OPEN_ENABLED: 'true' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  let printed = ''
  let waiting: (() => void)[] = []
  const notify = () => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    said += text
    notify()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
    notify()
  })
  const until = async <T>(find: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  const address = (at: number) => until(() => [...new Set(said.match(authorization) ?? [])][at])
  const answer = new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(printed) : reject(new Error(`${command} ended with ${code}:\n${said}`)),
    )
  })
  const account = answer.then(() => said)
  account.catch(() => {})
  return {
    asks: address(0),
    asksAgain: address(1),
    answer,
    account,
    tell: (line) => child.stdin.write(`${line}\n`),
    prints: async (text) => {
      await until(() => (printed.includes(text) ? true : undefined))
    },
    stop: () => child.kill(),
  }
}
