import fs from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from '@playwright/test'
import type axe from 'axe-core'
import type { AxeResults, RunOptions } from 'axe-core'

// Use the minified build, because every page parses it again.
const source = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Adds axe to each document that a browser context opens from now on. If a test checks many pages, this is
 * faster than sending axe to each page.
 */
export async function loadAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: source })
}

/**
 * Checks the current state of the page, except GraphiQL, with axe.
 * @param schemes the color schemes to check; `light` is the browser's default. In the dark scheme, only the
 * contrast is checked
 * @returns a line for each element with a serious or critical violation: the color scheme, the rule, and the
 * element
 */
export async function findBarriers(page: Page, schemes: 'light' | 'both' = 'both'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const light = await run(page, 'light')
  if (schemes === 'light') return light
  // The schemes differ only in their colors, so check only the contrast in the dark scheme.
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await run(page, 'dark', ['color-contrast'])
  await page.emulateMedia({ colorScheme: null })
  return [...light, ...dark]
}

/**
 * The part of axe's state that contains its rules. All violations of the same rule have the impact that is
 * set in the rule.
 */
type Audit = { rules: { id: string; impact: string }[] }

async function run(page: Page, colorScheme: 'light' | 'dark', only?: string[]): Promise<string[]> {
  const { violations } = await page.evaluate(async (rules): Promise<AxeResults> => {
    // Disables transitions, so that the colors of the new scheme apply immediately. The page's policy blocks
    // style elements, so this uses a constructed style sheet.
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after { transition: none !important; }')
    document.adoptedStyleSheets.push(still)
    // Wait only for animations of visible elements, because animations inside closed `details` elements never
    // end. Animations that follow a scroll position never end either.
    const moving = document
      .getAnimations()
      .filter(({ timeline }) => timeline === document.timeline)
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.checkVisibility())
    await Promise.all(moving.map((animation) => animation.finished.catch(() => undefined)))
    const inPage = (window as unknown as { axe: typeof axe & { _audit: Audit } }).axe
    const slight = inPage._audit.rules.filter(({ impact }) => impact === 'moderate' || impact === 'minor')
    const options: RunOptions = {
      resultTypes: ['violations'],
      ...(rules
        ? { runOnly: { type: 'rule', values: rules } }
        : { rules: Object.fromEntries(slight.map(({ id }) => [id, { enabled: false }])) }),
    }
    // Excludes GraphiQL, because it is not our code.
    const results = await inPage.run({ exclude: ['.graphiql-container'] }, options)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== still)
    return results
  }, only)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${colorScheme}: ${id} at ${target.join(' ')}`))
}
