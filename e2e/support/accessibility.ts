import type { Page } from '@playwright/test'
import axe, { type AxeResults } from 'axe-core'

/**
 * Looks at the page as it is now with axe, in light and in dark.
 * @returns what is seriously or critically wrong, a line each: the scheme, the rule, where
 */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const light = await run(page, 'light')
  // Colours alone differ between the schemes.
  const dark = await run(page, 'dark', ['color-contrast'])
  await page.emulateMedia({ colorScheme: null })
  return [...light, ...dark]
}

async function run(page: Page, colorScheme: 'light' | 'dark', only?: string[]): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  const { violations } = await page.evaluate(async (rules): Promise<AxeResults> => {
    // Colours fade from one scheme to the other; inside closed details they would never end.
    const fading = document
      .getAnimations()
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.checkVisibility())
    await Promise.all(fading.map((animation) => animation.finished.catch(() => undefined)))
    const inPage = window as unknown as { axe: typeof axe }
    // What GraphiQL draws is GraphiQL's.
    return inPage.axe.run(
      { exclude: ['.graphiql-container'] },
      {
        resultTypes: ['violations'],
        ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
      },
    )
  }, only)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${colorScheme}: ${id} at ${target.join(' ')}`))
}
