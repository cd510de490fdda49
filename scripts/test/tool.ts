import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { cleanEnvironment } from '@/lib/testing/test-environment'

/** The root of the repository. This is the current folder, because npm scripts start in the root. */
export const root = process.cwd()

const bin = path.join(root, 'node_modules', '.bin')

/**
 * Runs an installed tool with visible output, in an environment without Latchkey's settings.
 * @param name a name in node_modules/.bin, or an absolute path
 * @param env additional environment variables
 * @returns the tool's exit code
 */
export const runTool = (name: string, args: string[], env: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(path.resolve(bin, name), args, {
      cwd: root,
      env: {
        ...cleanEnvironment(),
        PATH: `${bin}${path.delimiter}${process.env.PATH}`,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        ...env,
      },
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })

/**
 * Reads a report and removes it, so that a later run does not read it again. Returns undefined if there is no
 * valid report.
 */
export function takeReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  } finally {
    fs.rmSync(file, { force: true })
  }
}
