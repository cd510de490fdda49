import fs from 'node:fs'
import { print, write } from './document'
import { usage } from './options'

const page = 'docs/scaling.md'

/** `npm run capacity`: what a platform takes, and what ends first. docs/scaling.md holds what it prints. */
function main(words: string[]): number {
  try {
    if (words[0] === '--write') fs.writeFileSync(page, write(fs.readFileSync(page, 'utf8')))
    else console.log(print(words))
    return 0
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    return 1
  }
}

process.exitCode = main(process.argv.slice(2))
