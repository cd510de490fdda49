import type { Page } from '@playwright/test'

/**
 * Counts the clicks on a page from now on, including on pages that it opens later. Counts `pointerdown` events, so a click on
 * a button, a link, or the label of a checkbox counts once.
 * @returns a function that returns the number of clicks so far
 */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('countClick', () => {
    clicks += 1
  })
  const listen = () => {
    document.addEventListener(
      'pointerdown',
      ({ isTrusted }) => {
        if (isTrusted) (window as unknown as { countClick: () => void }).countClick()
      },
      true,
    )
  }
  await page.addInitScript(listen)
  if (page.url() !== 'about:blank') await page.evaluate(listen)
  return () => clicks
}
