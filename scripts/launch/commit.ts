import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** When Git exports an archive, it replaces the placeholder in this file with the commit (.gitattributes). */
const ARCHIVED = 'scripts/launch/archived-commit.txt'

/**
 * Returns the commit of a source folder for a build. Uses LATCHKEY_COMMIT if its value is a commit, for
 * builds without `.git` (Dockerfile). Otherwise, uses the commit that Git writes into an exported archive. In
 * a checkout, uses the current commit.
 *
 * @param root the folder with package.json
 * @returns 7 to 40 hexadecimal digits, followed by `+changes` for a checkout with uncommitted changes; empty
 * if the commit is unknown
 */
export function findCommit(root: string, env: Record<string, string | undefined> = process.env): string {
  const given = env.LATCHKEY_COMMIT?.trim() ?? ''
  if (isCommit(given)) return given
  const file = path.join(root, ARCHIVED)
  const archived = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
  return isCommit(archived) ? archived : commitOfCheckout(root)
}

const isCommit = (text: string) => /^[0-9a-f]{7,40}$/.test(text)

function commitOfCheckout(root: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    // Return no commit if the source folder is a subfolder of another project's checkout, because Git would
    // return the other project's commit.
    if (git('rev-parse', '--show-prefix') !== '') return ''
    return `${git('rev-parse', '--verify', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+changes'}`
  } catch {
    return ''
  }
}
