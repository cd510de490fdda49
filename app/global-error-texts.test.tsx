import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { allLanguages } from '@/lib/base/language/languages'
import { sayIn } from '@/lib/base/language/say'
import { failureWords } from './failure-words'
import GlobalError from './global-error'
import { globalErrorTexts } from './global-error-texts'

it.each(allLanguages)('the global error page has the same text in %s as other error pages', (language) => {
  expect(failureWords(sayIn(language), 'Latchkey')).toMatchObject(globalErrorTexts[language])
})

it('the global error page is complete before any script runs, and shows the error’s reference', () => {
  const page = renderToStaticMarkup(<GlobalError error={Object.assign(new Error(), { digest: '4711' })} />)
  expect(page).toContain('<html lang="en" dir="ltr">')
  expect(page).toContain(globalErrorTexts.en.title)
  expect(page).toContain('<code>4711</code>')
})
