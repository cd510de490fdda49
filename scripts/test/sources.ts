import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './tool'

/** Returns the files whose paths match a pattern. Includes new files, but no files that Git ignores. */
export const filesLike = (pattern: RegExp): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => pattern.test(file) && fs.existsSync(path.join(root, file)))

/** Reads a file. @param file path from the root of the repository */
export const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8')
