import { expect, test } from './support/test'

test('the details of a chart bar stay open under the pointer and close with Escape', async ({
  page,
  signIn,
}) => {
  await signIn('ada')
  await page.goto('/workspaces/acme/settings/usage?range=7d&show=errors')
  const chart = page.getByRole('img', { name: 'Errors by day' })
  const tip = page
    .locator('figure', { has: chart })
    .getByText(/^\d+ \w+: [\d,]+$/)
    .filter({ visible: true })
  /** Presses Escape until the details close, because the page ignores keys until its script has loaded. */
  const close = () =>
    expect(async () => {
      await page.keyboard.press('Escape')
      await expect(tip).toHaveCount(0, { timeout: 500 })
    }).toPass()
  await expect(chart).toBeVisible()
  await expect(tip).toHaveCount(0)

  await chart.hover({ position: { x: 5, y: 50 }, force: true })
  const first = await tip.textContent()
  await tip.hover()
  await expect(tip).toHaveText(String(first))
  await close()
  // The details open again only after the pointer has visited another column.
  await chart.hover({ position: { x: 150, y: 50 }, force: true })
  await expect(tip).toHaveCount(1)
  expect(await tip.textContent()).not.toBe(first)
  await close()
  await chart.hover({ position: { x: 5, y: 50 }, force: true })
  await expect(tip).toHaveText(String(first))
})
