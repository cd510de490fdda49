import fs from 'node:fs'
import path from 'node:path'
import { root, runTool } from '../test/tool'
import { contactSheet } from './contact-sheet'

/**
 * The second part of `npm run screenshots`. Deletes earlier screenshots, takes screenshots of every page, and
 * creates an HTML file with all screenshots. With `--readme`, writes the two images of README.md instead.
 * Passes other arguments to Playwright.
 */
const README = '--readme'
const args = process.argv.slice(2)
const playwright = (...more: string[]) =>
  runTool('playwright', ['test', '--config=e2e/screenshots.config.ts', ...more])

if (args.includes(README)) {
  process.exitCode = await playwright('--grep=@readme', ...args.filter((each) => each !== README))
} else {
  const folder = path.join(root, 'test-results/screens/pages')
  fs.rmSync(folder, { recursive: true, force: true })
  process.exitCode = await playwright('--grep-invert=@readme', ...args)
  if (fs.existsSync(folder)) {
    const files = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.png'))
    const sheet = path.join(folder, 'index.html')
    fs.writeFileSync(sheet, contactSheet(files))
    console.log(`\n${files.length} screenshots: ${path.relative(root, sheet)}`)
  }
}
