import { expect, type Locator, type Page } from '@playwright/test'

/** More stops than a page has before what is looked for. */
const most = 150

/**
 * Presses Tab until something has the focus, and then a key on it.
 * @param key what presses it, such as `Enter`; none where typing follows
 * @throws Error for a stop on the way that shows no focus, or that something else covers (WCAG 2.4.7 and 2.4.11), and where Tab does
 *   not lead there
 */
export async function tabTo(page: Page, target: Locator, key?: string): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < most; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      if (key) await page.keyboard.press(key)
      return
    }
    await page.keyboard.press('Tab')
    // A page that is just arriving can still scroll.
    await expect.poll(() => findUnseenFocus(page), { timeout: 2_000 }).toBeUndefined()
  }
  throw new Error(`Tab does not lead to ${target}`)
}

/** Returns what is wrong with how the page shows the present focus. */
const findUnseenFocus = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body) return undefined
    const what = `${element.localName} “${element.textContent?.trim().slice(0, 40)}”`
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return `no ring around ${what}`
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const points = [
      [(left + right) / 2, (top + bottom) / 2],
      [left + 2, top + 2],
      [right - 2, top + 2],
      [left + 2, bottom - 2],
      [right - 2, bottom - 2],
    ]
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    const seen = points.some(([x, y]) => {
      const there = document.elementFromPoint(x as number, y as number)
      return [element, ...labels].some((one) => one.contains(there))
    })
    return seen ? undefined : `${what} is covered or out of sight`
  })
