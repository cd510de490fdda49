import type { BrowserContext } from '@playwright/test'

/**
 * Collects problems that a test would otherwise miss: console errors, exceptions, CSP violations, and 5xx
 * responses.
 */
export class Problems {
  readonly #found: { text: string; url?: string }[] = []
  readonly #refusedPages = new Set<string>()
  readonly #expected: (string | RegExp)[] = []

  constructor(context: BrowserContext) {
    context.on('console', (message) => {
      if (message.type() === 'error') this.#found.push({ text: message.text(), url: message.location().url })
    })
    context.on('weberror', (error) => {
      this.#found.push({ text: `exception: ${error.error().message}` })
    })
    context.on('response', (response) => {
      if (response.status() >= 500) this.#found.push({ text: `${response.status()} ${response.url()}` })
      // Remembers pages with a 4xx status. Chromium logs them as errors, but they are intended responses.
      else if (response.status() >= 400 && response.request().isNavigationRequest()) {
        this.#refusedPages.add(response.url())
      }
    })
  }

  /** Excludes problems from the list if their text contains the message or matches the regular expression. */
  expect(message: string | RegExp): void {
    this.#expected.push(message)
  }

  /**
   * Returns the problems, except expected problems and the errors that Chromium logs for pages with a 4xx
   * status.
   */
  list(): string[] {
    return this.#found
      .filter(
        ({ text, url }) => !(text.startsWith('Failed to load resource') && this.#refusedPages.has(url ?? '')),
      )
      .map(({ text, url }) => (url ? `${text} (${url})` : text))
      .filter(
        (line) =>
          !this.#expected.some((each) => (each instanceof RegExp ? each.test(line) : line.includes(each))),
      )
  }
}
