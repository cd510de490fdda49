import fs from 'node:fs'
import path from 'node:path'
import { root, runTool } from '../test/tool'
import { contactSheet } from './contact-sheet'

/** The rest of `npm run screenshots`: pictures of every page, and one page that shows them all. Arguments go to Playwright. */
const folder = path.join(root, 'test-results/screens/pages')
fs.rmSync(folder, { recursive: true, force: true })
process.exitCode = await runTool('playwright', [
  'test',
  '--config=e2e/screenshots.config.ts',
  ...process.argv.slice(2),
])
if (fs.existsSync(folder)) {
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.png'))
  const sheet = path.join(folder, 'index.html')
  fs.writeFileSync(sheet, contactSheet(files))
  console.log(`\n${files.length} pictures: ${path.relative(root, sheet)}`)
}
