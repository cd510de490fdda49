import { awaken } from './support/palette'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

test('the menu marks a slow page, and a progress line replaces the previous page until the slow page loads', async ({
  page,
}) => {
  const { home } = await signUp(page)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    ({ pathname }) => pathname === `${home}/members`,
    async (route) => {
      await held
      await route.continue()
    },
  )
  const projects = page.getByRole('heading', { name: 'Projects', level: 1 })
  const line = page.getByRole('progressbar', { name: 'Loading the page' })
  await page.goto(`${home}/projects`)
  await awaken(page)
  const link = page.getByRole('link', { name: 'Members' })
  await link.click()
  await expect(link).toHaveAttribute('aria-current', 'page')
  await expect(line).toBeVisible()
  await expect(projects).toBeHidden()
  await expect(page).toHaveURL(`${home}/projects`)
  release()
  await expect(page.getByRole('heading', { name: 'Members', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(`${home}/members`)
  await expect(line).toHaveCount(0)
  await page.goBack()
  await expect(projects).toBeVisible()
  await expect(line).toHaveCount(0)
})
