import type { Page } from '@playwright/test'
import { awaken } from './support/palette'
import { takeRowAction } from './support/row-menu'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

/** Records every message that this page and later pages announce, visibly or to screen readers only. */
async function listen(page: Page): Promise<string[]> {
  const announced: string[] = []
  await page.exposeFunction('announced', (text: string) => announced.push(text))
  await page.addInitScript(() => {
    const { announced } = window as unknown as { announced: (text: string) => void }
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const live = target instanceof Element && target.closest('[aria-live="polite"]')
        if (live) for (const node of addedNodes) announced(node.textContent ?? '')
      }
    }).observe(document, { childList: true, subtree: true })
  })
  return announced
}

test('revoking a token is reported once, even though the token’s row disappears', async ({ page }) => {
  await signUp(page)
  const announced = await listen(page)
  await page.goto('/account/tokens/new')
  await page.getByLabel('Token name').fill('Short-lived')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await takeRowAction(page, 'Short-lived', 'Revoke Short-lived')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText('No tokens yet')).toBeVisible()
  await expect.poll(() => announced).toEqual(['Token revoked'])
  await page.reload()
  await expect(page.getByText('No tokens yet')).toBeVisible()
  await awaken(page)
  expect(announced).toEqual(['Token revoked'])
})

test('saving a form is reported once, and not again after going back or reloading', async ({ page }) => {
  await signUp(page)
  const announced = await listen(page)
  await page.goto('/account/profile')
  await awaken(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Sessions' }).click()
  await expect(page).toHaveURL('/account/sessions')
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
  await awaken(page)
  await page.reload()
  await awaken(page)
  expect(announced).toEqual(['Profile saved'])
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => announced).toEqual(['Profile saved', 'Profile saved'])
})

test('an action that ends on another page is reported on that page', async ({ page }) => {
  const { home } = await signUp(page)
  const announced = await listen(page)
  await page.goto(`${home}/projects/new`)
  await page.getByLabel('Name').fill('Doomed')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page).toHaveURL(/\/projects\/[0-9a-f-]{36}$/)
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).click()
  await awaken(page)
  await page.getByRole('button', { name: 'Delete project' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Doomed')
  await dialog.getByRole('button', { name: 'Delete project' }).click()
  await expect(page).toHaveURL(`${home}/projects`)
  await expect.poll(() => announced).toEqual(['Project deleted'])
  await page.reload()
  await awaken(page)
  expect(announced).toEqual(['Project deleted'])
})

test('a dialog closes after its action, and the button for the opposite action opens a new dialog', async ({
  page,
  signIn,
}) => {
  const { email } = await signUp(page, 'Jean Bartik')
  await signIn('ada')
  const announced = await listen(page)
  await page.goto(`/admin/people?search=${encodeURIComponent(email)}`)
  await page.getByRole('link', { name: 'Jean Bartik' }).click()
  await awaken(page)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Make instance admin' }).click()
  await dialog.getByRole('button', { name: 'Make instance admin' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => announced).toEqual(['Instance admin added'])
  await page.getByRole('button', { name: 'Remove as instance admin' }).click()
  await dialog.getByRole('button', { name: 'Remove as instance admin' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => announced).toEqual(['Instance admin added', 'Instance admin removed'])
  await expect(page.getByRole('button', { name: 'Make instance admin' })).toBeFocused()
})
