import type { FailureWords } from '@/components/frame/page-error'
import type { Say } from '@/lib/base/language/say'

/** What a page says that could not be shown (error.tsx), which runs in the browser and has no catalogs. */
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
