import type { Page } from '@playwright/test'
import { decide } from './clients/consent'
import { findBarriers } from './support/accessibility'
import { type StartedDevice, startDevice } from './support/device'
import { environment } from './support/environment'
import { expect, test } from './support/test'

/** Tests a device that requests access while the user decides in a browser on another machine (RFC 8628). */

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

test('a user enters a device’s code and shares a project, and the device gets a token', {
  tag: '@mounts',
}, async ({ page, signIn, baseURL, screenshots }) => {
  const device = await startDevice(baseURL, 'openid project:viewer')
  await signIn('ada')
  await typeCode(page, device.user_code.toLowerCase().replace('-', ' '))
  await expect(page.getByRole('heading', { name: 'Connect Television?' })).toBeVisible()
  await expect(page.getByText(device.user_code)).toBeVisible()
  await expect(page.getByText('We don’t know who made this')).toBeVisible()
  const left = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())?.x ?? 0
  const panes = async () => [await left('Connect Television?'), await left('What it can access')]
  const [app = 0, selection = 0] = await panes()
  expect(selection).toBeGreaterThan(app + 300)
  await expect(page.getByRole('button', { name: 'Authorize' })).toBeInViewport()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('device/confirm')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(new Set(await panes()).size).toBe(1)
  await page.setViewportSize({ width: 1280, height: 720 })
  await decide(page)
  await expect(page.getByText('Nothing is selected')).toBeVisible()
  await decide(page, { projects: ['Website'] })
  await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
  expect(await poll(baseURL, device)).toMatchObject({ scope: 'openid project:viewer' })
})

test('the complete verification URL fills in the code for a signed-out user, who can deny access after signing in', async ({
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
  await expect(page.getByRole('link', { name: 'Enter another code' })).toHaveAttribute('href', '/device')
  expect((await poll(baseURL, device)).error).toBe('access_denied')
})

test('a wrong device code is reported and stays in the field', async ({ page, signIn }) => {
  await signIn('ada')
  await typeCode(page, 'BBBB-CCCC')
  await expect(page.getByText('No device is waiting for this code')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue('BBBB-CCCC')
})
