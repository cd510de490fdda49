import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { openMethod } from './open-method'

/** Returns the code of an authenticator app, now or some steps of 30 seconds from now. */
export const code = (secret: string, later = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + later * 30_000 })

/** Adds an authenticator app for the signed-in user; the page then shows the recovery codes. */
export async function setUpApp(
  page: Page,
  password: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.goto('/account/security')
  return setUpAppHere(page, password)
}

/** The same on the page that is open, such as the one where a second factor is demanded. */
export async function setUpAppHere(
  page: Page,
  password: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const section = await openMethod(page, 'Authenticator app', password)
  await section.getByRole('button', { name: 'Set up authenticator app' }).click()
  const secret = (await section.getByLabel('Key', { exact: true }).inputValue()).replaceAll(' ', '')
  await section.getByLabel('Code').fill(code(secret))
  await section.getByRole('button', { name: 'Turn on' }).click()
  const shown = page.getByRole('region', { name: 'Recovery codes' }).first()
  const codes = shown.getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expect(shown.getByRole('heading')).toBeFocused()
  return { secret, recoveryCodes: await codes.allInnerTexts() }
}
