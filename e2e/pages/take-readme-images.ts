import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from '../support/test'
import { authorizeAddress } from './world'

/** `npm run screenshots -- --readme` creates the two screenshots in README.md from the demo data. */

// README.md shows the screenshots next to each other, at the same height.
const HEIGHT = 1080
const consentPage = { width: 640, height: HEIGHT }
const consolePage = { width: 1240, height: HEIGHT }

test.use({ locale: 'en-US', deviceScaleFactor: 2, colorScheme: 'light' })

test('README images show the consent page and an app in the console @readme', async ({ page, signIn }) => {
  await signIn('ada')
  await page.setViewportSize(consolePage)
  await page.goto('/workspaces/acme/settings/developer')
  await page.getByRole('link', { name: 'Release Radar' }).click()
  await expect(page.getByRole('heading', { name: 'Release Radar', level: 1 })).toBeVisible()
  await expect(page.getByText('API requests').first()).toBeVisible()
  await takeImage(page, 'app')

  const clientId = /\/developer\/([^/]+)/.exec(new URL(page.url()).pathname)?.[1] as string
  const app = { clientId, redirectUri: 'https://radar.acme.example/callback' }
  await page.setViewportSize(consentPage)
  await page.goto(authorizeAddress(app, 'openid email offline_access project:member', { prompt: 'consent' }))
  const projects = page.getByRole('group', { name: 'Projects' })
  for (const name of ['Website', 'Compiler']) await projects.getByRole('checkbox', { name }).check()
  await takeImage(page, 'consent')
})

/**
 * Saves a screenshot of the window as docs/images/<name>.png, with up to 256 colors to keep the file small.
 */
async function takeImage(page: Page, name: string): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0))
  // Move the pointer away from the last control that was clicked, which would otherwise be shown as hovered.
  await page.mouse.move(0, 0)
  const image = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await sharp(image).png({ palette: true, effort: 10 }).toFile(`docs/images/${name}.png`)
}
