import type { FailureWords } from '@/components/frame/page-error'
import type { Say } from '@/lib/base/language/say'

/**
 * Returns the text of `PageError`. The server passes the text to `PageError`, because the catalogs are not
 * available in the browser.
 */
export const failureWords = (say: Say, service: string): FailureWords => ({
  language: say.language,
  direction: say.direction,
  title: say('page.failed'),
  why: say('page.failedWhy'),
  advice: say('page.failedAdvice'),
  reference: say('oauth.reference'),
  again: say('page.again'),
  start: say('form.start', { service }),
})
