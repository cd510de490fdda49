import { expect, type Locator, type Page } from '@playwright/test'

/** The maximum number of tab stops to try, more than any page has before a target. */
const most = 150

/**
 * Presses Tab until the target has the focus, then presses a key.
 * @param key the key to press, such as `Enter`; undefined if the test types text next
 * @throws Error if a stop does not show the focus or is covered (WCAG 2.4.7 and 2.4.11), or if Tab does not
 * reach the target
 */
export async function tabTo(page: Page, target: Locator, key?: string): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < most; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      if (key) await page.keyboard.press(key)
      return
    }
    await page.keyboard.press('Tab')
    // Wait for the focus to become visible, because a page that has just loaded might still scroll.
    await expect.poll(() => findUnseenFocus(page), { timeout: 2_000 }).toBeUndefined()
  }
  throw new Error(`Tab does not reach ${target}`)
}

/**
 * Returns a description of the problem if the focused element is covered or has no outline of at least 2
 * pixels. Returns undefined if the element has neither problem, or if no element has the focus.
 */
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
