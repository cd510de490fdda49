import { expect, type Page } from '@playwright/test'
import { askPageIn, idIn, letAgentIn } from '../clients/agent'
import { code, setUpApp } from '../support/authenticator-app'
import { startDevice } from '../support/device'
import { askFactors, makeToken } from '../support/factors-by-token'
import { followMail } from '../support/mailbox'
import { signUp } from '../support/sign-up'
import { signInByForm } from '../support/test'
import type { Journey } from './listing'
import { authorizeAddress } from './world'

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()

/** Opens an auth page and selects Arabic, a right-to-left language, in its footer. */
const inArabic = async (page: Page) => {
  await page.goto('/device')
  await page.locator('.auth-languages summary').click()
  await page.getByRole('button', { name: 'العربية' }).click()
  await expect(page.locator('.auth-page')).toHaveAttribute('dir', 'rtl')
}

/** All pages and states of pages that can be reached only in several steps. */
export const journeys: Journey[] = [
  {
    as: 'anonymous',
    sights: [
      { name: 'workspace/empty' },
      { route: '/verify-email', name: 'auth/verify-email' },
      { route: '/verify-email', name: 'auth/verify-email-sign-in' },
    ],
    go: async (page, _, see) => {
      const { email, home } = await signUp(page, 'Valerie Thomas')
      await page.goto(home)
      await see()
      await followMail(page, email, '/verify-email')
      await heading(page, 'Confirm your email')
      await see()
      await page.context().clearCookies()
      await page.reload()
      await heading(page, 'Sign in to confirm')
      await see()
    },
  },
  {
    as: 'anonymous',
    sights: [{ route: '/reset-password', name: 'auth/reset-password' }],
    go: async (page, _, see) => {
      const { email } = await signUp(page, 'Melba Mouton')
      await page.context().clearCookies()
      await page.goto('/forgot-password')
      await page.getByRole('textbox', { name: 'Email' }).fill(email)
      await page.getByRole('button', { name: 'Send link' }).click()
      await followMail(page, email, '/reset-password')
      await heading(page, 'Set a new password')
      await see()
    },
  },
  {
    as: 'anonymous',
    sights: [
      { name: 'account/security-recovery-codes' },
      { route: '/login/verify', name: 'auth/login-verify' },
      { route: '/workspaces/[slug]/two-factor', name: 'workspace/two-factor-required' },
    ],
    go: async (page, _, see) => {
      const { email, password, home } = await signUp(page, 'Evelyn Boyd')
      const { secret } = await setUpApp(page, password)
      await see()
      await page.goto(`${home}/settings`)
      await page.getByRole('button', { name: 'Require two-factor' }).click()
      const rule = page.getByRole('region', { name: 'Two-factor authentication' })
      await expect(rule.getByText('Required', { exact: true })).toBeVisible()

      await page.context().clearCookies()
      await signInByForm(page, email, password)
      await heading(page, 'Confirm it’s you')
      await see()
      await page.getByLabel('Code').fill(code(secret, 1))
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page).toHaveURL(home)

      await page.goto('/account/security')
      await page.getByRole('button', { name: 'Remove authenticator app' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Password').fill(password)
      await dialog.getByRole('button', { name: 'Remove authenticator app' }).click()
      await expect(page.getByRole('region', { name: 'Authenticator app' })).toContainText('Off')
      await page.context().clearCookies()
      await signInByForm(page, email, password)
      await heading(page, /requires two-factor authentication/)
      await see()
    },
  },
  {
    as: 'admin',
    sights: [
      { route: '/interaction/[uid]', name: 'oauth/consent' },
      { name: 'oauth/consent-everything' },
      { name: 'oauth/choose-account' },
    ],
    go: async (page, world, see) => {
      await page.goto(authorizeAddress(world, 'openid email project:viewer', { prompt: 'consent' }))
      await heading(page, /Warehouse scanner/)
      await see()
      const everything = 'openid profile email offline_access workspace:admin project:admin'
      await page.goto(authorizeAddress(world, everything, { prompt: 'consent' }))
      await heading(page, /Warehouse scanner/)
      await see()
      await page.goto(authorizeAddress(world, 'openid', { prompt: 'select_account' }))
      await heading(page, /account/)
      await see()
    },
  },
  {
    as: 'anonymous',
    sights: [
      { name: 'arabic/device' },
      { name: 'arabic/sign-in' },
      { name: 'arabic/sign-up' },
      { name: 'arabic/expired' },
    ],
    go: async (page, _, see) => {
      await inArabic(page)
      await see()
      for (const address of ['/login', '/signup', '/interaction/0123456789012345678901']) {
        await page.goto(address)
        await see()
      }
    },
  },
  {
    as: 'admin',
    sights: [{ name: 'arabic/consent' }],
    go: async (page, world, see) => {
      await inArabic(page)
      const everything = 'openid profile email offline_access workspace:admin project:admin'
      await page.goto(authorizeAddress(world, everything, { prompt: 'consent' }))
      await heading(page, /Warehouse scanner/)
      await see()
    },
  },
  {
    as: 'admin',
    sights: [{ route: '/device/confirm', name: 'oauth/device-confirm' }],
    go: async (page, world, see) => {
      const device = await startDevice(world.baseURL, 'openid offline_access project:admin')
      await page.goto(device.verification_uri_complete)
      await page.getByRole('button', { name: 'Continue' }).click()
      await heading(page, 'Connect Television?')
      await see()
    },
  },
  {
    as: 'anonymous',
    sights: [{ route: '/approvals/[id]', name: 'account/ask' }],
    go: async (page, world, see) => {
      const { home } = await signUp(page, 'Annie Easley')
      await page.goto(`${home}/settings/apps`)
      await page.getByRole('checkbox', { name: 'Delete the workspace' }).check()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByText('Saved')).toBeVisible()
      const agent = await letAgentIn(page, world.baseURL, {
        name: 'Planner',
        scope: 'openid workspace:admin',
        workspace: 'Annie Easley',
      })
      const query = 'query { me { workspaces { id } } }'
      const id = idIn(await agent.callTool('run_query', { query }))
      const mutation = `mutation { workspaceDelete(id: "${id}") }`
      await page.goto(askPageIn(await agent.callTool('run_mutation', { query: mutation })))
      await heading(page, 'Approval request')
      await see()
    },
  },
  {
    as: 'anonymous',
    sights: [{ name: 'account/ask-of-token' }],
    go: async (page, world, see) => {
      const { password } = await signUp(page, 'Karen Jones')
      await setUpApp(page, password)
      const token = await makeToken(page, 'Laptop set-up script')
      const { approvalUrl } = await askFactors(world.baseURL, token, 'recoveryCodesRotate { recoveryCodes }')
      await page.goto(approvalUrl)
      await heading(page, 'Approval request')
      await see()
    },
  },
  {
    as: 'admin',
    sights: [
      { name: 'account/token-created' },
      { name: 'workspace/app-created' },
      { name: 'workspace/delete-dialog' },
    ],
    go: async (page, world, see) => {
      await page.goto('/account/tokens/new')
      await page.getByLabel('Token name').fill('Shown once')
      await page.getByRole('button', { name: 'Create token' }).click()
      await expect(page.getByRole('textbox', { name: 'Token', exact: true })).toBeVisible()
      await see()
      await page.goto(`${world.workspace}/settings/developer/new`)
      await page.getByLabel('App name').fill('Loading dock')
      await page.getByLabel('Redirect URIs').fill('https://dock.northwind.example/callback')
      await page.getByRole('button', { name: 'Create app' }).click()
      await expect(page.getByRole('textbox', { name: 'Client secret' })).toBeVisible()
      await see()
      await page.goto(`${world.workspace}/settings`)
      await page.getByRole('button', { name: 'Delete workspace' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await see()
    },
  },
]
