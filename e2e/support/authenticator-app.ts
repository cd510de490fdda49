import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { openMethod } from './open-method'

/**
 * Returns a code of an authenticator app. By default, returns the current code.
 * @param later how many 30-second steps in the future the code is valid
 */
export const code = (secret: string, later = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + later * 30_000 })

/**
 * Adds an authenticator app for the signed-in user on the security page.
 * @returns the app's secret, and the recovery codes that the page then shows
 */
export async function setUpApp(
  page: Page,
  password: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.goto('/account/security')
  return setUpAppHere(page, password)
}

/**
 * Adds an authenticator app on the current page, such as the page that requires two-factor authentication.
 */
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
