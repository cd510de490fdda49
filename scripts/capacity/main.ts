import fs from 'node:fs'
import { pages, print, write } from './document'
import { usage } from './options'

/**
 * Runs `npm run capacity`: prints an estimate of a platform's load and first bottleneck. With `--write`,
 * updates the pages that contain such estimates instead.
 * @returns the exit code
 */
function main(words: string[]): number {
  try {
    if (words[0] !== '--write') console.log(print(words))
    else for (const page of pages) fs.writeFileSync(page, write(fs.readFileSync(page, 'utf8')))
    return 0
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    return 1
  }
}

process.exitCode = main(process.argv.slice(2))
