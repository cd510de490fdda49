import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from './support/test'

/** A new key in OpenSSH's one-line format (RFC 8709 section 4). */
function publicKey(comment: string): string {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(Buffer.from(x, 'base64url'))])
  return `ssh-ed25519 ${blob.toString('base64')} ${comment}`
}

test('an SSH key is added, shown by its fingerprint, and removed', async ({ page, signIn, screenshots }) => {
  await signIn('grace')
  await page.goto('/account/profile')
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'SSH keys' }).click()
  await expect(page.getByText('No SSH keys yet')).toBeVisible()
  await page.getByLabel('Title').fill('Work laptop')
  await page.getByLabel('Public key').fill(publicKey('grace@work'))
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  const row = page.getByRole('row', { name: /Work laptop/ })
  await expect(row).toContainText(/SHA256:[\w+/]{43}/)
  await expect(page.getByLabel('Public key')).toHaveValue('')
  await screenshots('ssh-keys')
  await page.getByRole('button', { name: 'Remove Work laptop' }).press('Enter')
  await page.getByRole('button', { name: 'Remove SSH key' }).press('Enter')
  await expect(row).toHaveCount(0)
})

test('what is wrong with an SSH key is said at its field, with what was typed', async ({ page, signIn }) => {
  await signIn('grace')
  await page.goto('/account/ssh-keys')
  await page.getByLabel('Title').fill('Broken')
  await page.getByLabel('Public key').fill('ssh-ed25519 AAAA')
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  const field = page.getByLabel('Public key')
  await expect(field).toHaveAccessibleDescription('The key is incomplete or damaged.')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('ssh-ed25519 AAAA')
  await expect(page.getByLabel('Title')).toHaveValue('Broken')
})
