import type { Page } from '@playwright/test'

/** A virtual authenticator in the browser that stores passkeys and unlocks automatically. */
export type SecurityKey = {
  /** Sets whether the device responds to requests automatically, including requests for autofill. */
  answers: (atOnce: boolean) => Promise<void>
  /** Waits until the given page offers passkeys for autofill. */
  offered: (page: Page) => Promise<void>
}

/** Adds a passkey device (Chromium's virtual authenticator) that responds to requests automatically. */
export async function addSecurityKey(page: Page): Promise<SecurityKey> {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.addInitScript(() => {
    const get = navigator.credentials?.get.bind(navigator.credentials)
    if (!get) return
    navigator.credentials.get = (options) => {
      const asked = get(options)
      if (options?.mediation === 'conditional') document.documentElement.dataset.offered = ''
      return asked
    }
  })
  return {
    answers: async (enabled) => {
      await devices.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    offered: (at) => at.locator('html[data-offered]').waitFor(),
  }
}
