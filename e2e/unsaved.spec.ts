import { awaken } from './support/palette'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

test('unsaved changes are counted and can be discarded, and leaving the page requires confirmation', async ({
  page,
  screenshots,
}) => {
  await signUp(page, 'Mary Jackson')
  await page.goto('/account/profile')
  await awaken(page)
  const name = page.getByRole('textbox', { name: 'Name' })
  const bar = page.getByRole('status').filter({ hasText: 'unsaved' })
  await name.fill('Mary W. Jackson')
  await expect(bar).toHaveText('1 unsaved change')
  await screenshots('unsaved')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(name).toHaveValue('Mary Jackson')
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Save' })).toBeFocused()

  await name.fill('Mary W. Jackson')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.getByRole('link', { name: 'Sessions' }).click()
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(name).toHaveValue('Mary W. Jackson')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Profile saved')).toBeVisible()
  await expect(bar).toHaveCount(0)

  await name.fill('Another user')
  await page.getByRole('link', { name: 'Sessions' }).click()
  await question.getByRole('button', { name: 'Discard and leave' }).click()
  await expect(page).toHaveURL('/account/sessions')
  await page.goto('/account/profile')
  await expect(name).toHaveValue('Mary W. Jackson')
})
