import type { Page } from '@playwright/test'

/**
 * Counts what a user presses on a page from now on, on whatever address it is: the pointer going down, which one click does
 * once, whether it meets a button, a link or the label of a box.
 * @returns how many so far
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
