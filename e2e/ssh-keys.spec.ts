import { signUp } from './support/sign-up'
import { newPublicKey } from './support/ssh-key'
import { expect, test } from './support/test'

test('an SSH key is added, listed with its fingerprint, and removed', async ({ page, screenshots }) => {
  await signUp(page)
  await page.goto('/account/profile')
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'SSH keys' }).click()
  await expect(page.getByText('No SSH keys yet')).toBeVisible()
  await page.getByLabel('Title').fill('Work laptop')
  await page.getByLabel('Public key').fill(newPublicKey('grace@work'))
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  const row = page.getByRole('row', { name: /Work laptop/ })
  await expect(row).toContainText(/SHA256:[\w+/]{43}/)
  await expect(page.getByLabel('Public key')).toHaveValue('')
  await screenshots('ssh-keys')
  await page.getByRole('button', { name: 'Remove Work laptop' }).press('Enter')
  await page.getByRole('button', { name: 'Remove SSH key' }).press('Enter')
  await expect(row).toHaveCount(0)
})

test('an invalid SSH key is reported at its field, which keeps the input', async ({ page, signIn }) => {
  await signIn('grace')
  await page.goto('/account/ssh-keys')
  await page.getByLabel('Title').fill('Broken')
  await page.getByLabel('Public key').fill('ssh-ed25519 AAAA')
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  const field = page.getByLabel('Public key')
  await expect(field).toHaveAccessibleDescription('The key is incomplete or damaged. Copy it again.')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('ssh-ed25519 AAAA')
  await expect(page.getByLabel('Title')).toHaveValue('Broken')
})
