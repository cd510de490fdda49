import type { Page } from '@playwright/test'
import { decide } from './clients/consent'
import { type StartedDevice, startDevice } from './support/device'
import { environment } from './support/environment'
import { expect, test } from './support/test'

/** A device that asks for access while a user has a browser elsewhere (RFC 8628). */

async function poll(baseURL: string | undefined, device: StartedDevice) {
  const answer = await fetch(new URL('/oauth/token', baseURL), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.device_code,
      client_id: device.clientId,
    }),
  })
  return (await answer.json()) as { error?: string; access_token?: string; scope?: string }
}

async function typeCode(page: Page, code: string) {
  await page.goto('/device')
  await page.getByRole('textbox', { name: 'Code' }).fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('a user types the code, shares a project, and the device gets its token', { tag: '@mounts' }, async ({
  page,
  signIn,
  baseURL,
}) => {
  const device = await startDevice(baseURL, 'openid project:viewer')
  await signIn('ada')
  await typeCode(page, device.user_code.toLowerCase().replace('-', ' '))
  await expect(page.getByRole('heading', { name: 'Connect Television?' })).toBeVisible()
  await expect(page.getByText(device.user_code)).toBeVisible()
  await expect(page.getByText('We don’t know who made this')).toBeVisible()
  await decide(page)
  await expect(page.getByText('Nothing is selected')).toBeVisible()
  await decide(page, { projects: ['Website'] })
  await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
  expect(await poll(baseURL, device)).toMatchObject({ scope: 'openid project:viewer' })
})

test('the complete address fills in the code; a signed-out user signs in on the way', async ({
  page,
  baseURL,
}) => {
  const device = await startDevice(baseURL, 'openid')
  await page.goto(device.verification_uri_complete)
  await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue(device.user_code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill(environment().demoPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await decide(page, { deny: true })
  await expect(page.getByRole('heading', { name: 'Device not connected' })).toBeVisible()
  expect((await poll(baseURL, device)).error).toBe('access_denied')
})

test('a wrong code says so and stays in the field', async ({ page, signIn }) => {
  await signIn('ada')
  await typeCode(page, 'BBBB-CCCC')
  await expect(page.getByText('No device is waiting for this code')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue('BBBB-CCCC')
})
