import type { Page } from '@playwright/test'
import { findBarriers } from './support/accessibility'
import { code } from './support/authenticator-app'
import { makeOwnProduct, type OwnProduct } from './support/own-product'
import { expect, test } from './support/test'

/**
 * An instance that allows sign-up for one email domain and requires two-factor authentication for all users.
 */
let product: OwnProduct
test.beforeAll(async () => {
  product = await makeOwnProduct()
  await expect(product.start({ SEED_DEMO: '1' })).rejects.toThrow(/SEED_DEMO=1 requires DEMO_PASSWORD/)
  await product.start({
    SEED_DEMO: '1',
    DEMO_PASSWORD: 'lanterns on a quiet quay',
    REQUIRE_TWO_FACTOR: 'all',
    LATCHKEY_SETTINGS: JSON.stringify({ signUp: 'domains', signUpDomains: ['example.com'] }),
  })
})
test.afterAll(() => product.stop())

/** Selects a language in the footer. */
async function speak(page: Page, from: string, to: string): Promise<void> {
  await page.locator('summary').filter({ hasText: from }).click()
  await page.getByRole('button', { name: to, exact: true }).click()
}

/** Expects that the page contains none of these common English words. */
async function expectNoEnglish(page: Page): Promise<void> {
  expect(await page.getByRole('main').innerText()).not.toMatch(
    /\b(the|you|your|a|or|code|codes|close|copy|remove|download|passkey|passkeys|set up|on|off)\b/i,
  )
}

test('a new user confirms their email address, sets up two-factor authentication, and reaches the requested page', async ({
  page,
  screenshots,
}) => {
  const { url } = product
  await page.goto(`${url}/account/tokens`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page.getByText('You can sign up with an email at example.com')).toBeVisible()
  await screenshots('auth/signup-domains')
  const ask = async (email: string) => {
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
  }
  await ask('mallory@example.com.evil.test')
  await expect(page.getByRole('alert')).toContainText('certain email domains')
  await ask('new.user@example.com')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await screenshots('auth/signup-sent')
  const link = page.getByRole('link', { name: '/signup?token=' }).first()
  await expect(async () => {
    await page.goto(`${url}/dev/mailbox?to=new.user@example.com`)
    await expect(link).toBeVisible({ timeout: 500 })
  }).toPass()
  await link.click()
  await expect(page.getByText('For new.user@example.com')).toBeVisible()
  await screenshots('auth/signup-link')
  await page.getByRole('textbox', { name: 'Name' }).fill('New User')
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()

  await expect(page.getByRole('heading', { name: 'Set up two-factor authentication' })).toBeVisible()
  await screenshots('auth/two-factor')
  for (const closed of ['/account/tokens', '/workspaces', '/login?next=/account/apps']) {
    await page.goto(url + closed)
    await expect(page).toHaveURL(/\/two-factor\?next=/)
  }
  await page.goto(`${url}/account/tokens`)
  await speak(page, 'English', 'العربية')
  await expect(page.getByRole('heading', { name: 'إعداد التحقق بخطوتين' })).toBeVisible()
  const app = page.getByRole('region', { name: 'تطبيق المصادقة', exact: true })
  await app.locator('summary').click()
  await page.getByRole('region', { name: 'مفاتيح المرور', exact: true }).locator('summary').click()
  await expect(page.getByLabel('اسم مفتاح المرور')).toBeVisible()
  const password = app.getByLabel('كلمة المرور', { exact: true })
  await password.fill('a guess')
  await app.getByRole('button', { name: 'إعداد تطبيق المصادقة' }).click()
  await expect(app.getByText('هذه ليست كلمة مرورك.')).toBeVisible()
  await expectNoEnglish(page)
  await password.fill('correct horse battery')
  const begin = app.getByRole('button', { name: 'إعداد تطبيق المصادقة' })
  await begin.click()
  const cancel = app.getByRole('button', { name: 'إلغاء', exact: true })
  await cancel.click()
  // A toast confirms the action on this page as well. It can appear before the section changes.
  await expect(page.getByText('أُلغي الإعداد')).toBeVisible()
  await expect(cancel).toBeHidden()
  await expect(begin).toBeHidden()
  await app.locator('summary').click()
  await begin.click()
  const secret = (await app.getByLabel('المفتاح', { exact: true }).inputValue()).replaceAll(' ', '')
  await app.getByLabel('الرمز', { exact: true }).fill('wrong')
  await app.getByRole('button', { name: 'تفعيل' }).click()
  await expect(app.getByText('هذا ليس الرمز الحالي. تأكد من صحة ساعة هاتفك.')).toBeVisible()
  await screenshots('languages/arabic-authenticator-app')
  expect(await findBarriers(page)).toEqual([])
  await app.getByLabel('الرمز', { exact: true }).fill(code(secret))
  await app.getByRole('button', { name: 'تفعيل' }).click()
  const codes = page.getByRole('region', { name: 'رموز الاسترداد' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await expect(page.getByRole('heading', { name: 'تم إعداد التحقق بخطوتين' })).toBeVisible()
  await screenshots('languages/arabic-recovery-codes')
  await codes.getByRole('button', { name: 'لقد حفظتها' }).click()
  await expect(page.getByRole('main')).toBeFocused()
  await expectNoEnglish(page)
  await speak(page, 'العربية', 'English')
  await expect(page.getByRole('heading', { name: 'Two-factor authentication is set up' })).toBeVisible()
  await screenshots('auth/two-factor-done')
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/account\/tokens$/)
})
