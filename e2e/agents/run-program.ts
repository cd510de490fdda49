import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** A running program: its output, and the URLs that the user must open. */
export type Running = {
  /** The URL that the program prints for the user to open. */
  asks: Promise<string>
  /** A second URL for the user to open, which the program prints if the program needs another scope. */
  asksAgain: Promise<string>
  /**
   * Resolves with the program's output.
   * @throws Error with the output if the exit code is not 0
   */
  answer: Promise<string>
  /** The standard output and standard error of the program. */
  account: Promise<string>
  /** Sends a line to the program's standard input. */
  tell: (line: string) => void
  /** Waits until the program has printed the given text. */
  prints: (text: string) => Promise<void>
  stop: () => void
}

/** Matches a URL only if other output follows it, because the end of the output can be an incomplete URL. */
const authorization = /https?:\/\/[^\s"']+\/oauth\/auth\?[^\s"']+(?=[\s"'])/g

/** Returns the path of a program that scripts/agents installed. */
export const programAt = (file: string): string => path.join(process.env.AGENT_PROGRAMS as string, file)

/**
 * Returns the path of a Node.js version that every program supports. Some programs require a newer version than the tests.
 */
export const newNode = (): string => programAt(`${process.env.AGENT_NODE}/bin/node`)

/** Runs a program with its own home folder, and prevents the program from opening a browser. */
export function runProgram(command: string, args: string[]): Running {
  const home = fs.mkdtempSync(path.join(process.env.AGENT_HOME as string, 'home-'))
  const child = spawn(command, args, {
    cwd: home,
    // Without a terminal, MCP_AUTO_OPEN_ENABLED prevents the Inspector from prompting for input.
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
