import type { Page } from '@playwright/test'

/** The narrowest window that a page must fit (WCAG 1.4.10). */
const PHONE = { width: 320, height: 693 }

/**
 * Saves screenshots in test-results/screens: light, dark, and 320 pixels wide. The screenshots show the whole page, or the
 * window if a dialog is open. Afterwards, restores the window size and color scheme.
 * @param name can contain folders
 */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  const size = page.viewportSize()
  // A dialog covers the window, not the whole page. Fixed elements are positioned correctly only at the top of the page.
  const fullPage = !(await page.getByRole('dialog').isVisible())
  if (fullPage) await page.evaluate(() => window.scrollTo(0, 0))
  const shoot = (kind: string) =>
    page.screenshot({
      path: `test-results/screens/${name}-${kind}.png`,
      fullPage,
      animations: 'disabled',
    })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await shoot(colorScheme)
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(PHONE)
  await shoot('phone')
  if (size) await page.setViewportSize(size)
}
