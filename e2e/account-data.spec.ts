import fs from 'node:fs'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

test('a user exports their data and deletes their account and its workspace', async ({
  page,
  screenshots,
}) => {
  const { email, password, home } = await signUp(page, 'Going Away')
  await page.goto('/account/data')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download JSON' }).click()
  const data = JSON.parse(fs.readFileSync(await (await download).path(), 'utf8'))
  expect(data.account).toMatchObject({ email, name: 'Going Away' })
  expect(data.signIns).toHaveLength(1)
  await screenshots('account/data-own')

  const remove = page.getByRole('button', { name: 'Delete account' })
  const alone = page.getByRole('checkbox', { name: /^Delete Going Away/ })
  await alone.check()
  await page.getByLabel('Your email').fill('wrong@example.com')
  await page.getByLabel('Password').fill(password)
  await remove.click()
  await expect(page.getByText('Type your email address exactly as shown.')).toBeVisible()
  await expect(alone).toBeChecked()
  await page.getByLabel('Your email').fill(email)
  await page.getByLabel('Password').fill(password)
  await remove.click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goto(home)
  await expect(page).toHaveURL(/\/login/)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('incorrect')
})
