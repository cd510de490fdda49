import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Saves a docs snippet in its own temporary folder, with a link to this repository's packages, which the
 * snippet imports.
 * @returns the path of the snippet's file, and a function that deletes the folder
 */
export function saveSnippet(name: string, code: string): { file: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-snippet-'))
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'junction')
  const file = path.join(folder, name)
  writeFileSync(file, code)
  return { file, remove: () => rmSync(folder, { recursive: true }) }
}
