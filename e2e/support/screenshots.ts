import type { Page } from '@playwright/test'

/** A window with the smallest width that pages must fit (WCAG 1.4.10). */
const PHONE = { width: 320, height: 693 }

/**
 * Saves screenshots in test-results/screens: light, dark, and 320 pixels wide. The screenshots show the whole
 * page, or the window if a dialog is open. Scrolls to the top of the page unless a dialog is open.
 * Afterwards, restores the window size and color scheme.
 * @param name can contain folders
 */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  const size = page.viewportSize()
  // A dialog covers only the window, so a screenshot of the whole page would show parts without the dialog.
  // Otherwise, scrolls to the top, because screenshots of the whole page show fixed elements at the correct
  // position only there.
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
