import type { Page } from '@playwright/test'
import { annotationType, type MeasuredTask } from './click-report'
import { expect, test } from './test'

/** A click or an input, and the element that received it. */
type Step = {
  kind: 'click' | 'input'
  /** The element's name, for messages. */
  target: string
  /** Whether the whole element is inside the window while nothing is scrolled. */
  aboveFold: boolean
}

/**
 * Records the clicks and inputs in a browser tab from now on, including on pages that the tab opens later. A
 * click is a `pointerdown` event, so a click on a button, a link, or the label of a checkbox counts once.
 * Before Playwright uses an element, it scrolls the page, even if the element is in the window but within the
 * page's scroll padding. Therefore, each element is measured while everything around the element is
 * temporarily scrolled back to the start.
 * @returns the steps so far; each click or input adds an entry
 */
async function recordSteps(page: Page): Promise<readonly Step[]> {
  const steps: Step[] = []
  await page.exposeFunction('recordStep', (step: Step) => steps.push(step))
  const listen = () => {
    const isAboveFold = (element: Element) => {
      const scrolled: [box: Element, top: number, left: number][] = []
      for (let box: Element | null = element; box; box = box.parentElement) {
        if (box.scrollTop !== 0 || box.scrollLeft !== 0) scrolled.push([box, box.scrollTop, box.scrollLeft])
      }
      for (const [box] of scrolled) box.scrollTo({ top: 0, left: 0, behavior: 'instant' })
      const { top, bottom, left, right } = element.getBoundingClientRect()
      for (const [box, y, x] of scrolled) box.scrollTo({ top: y, left: x, behavior: 'instant' })
      return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
    }
    const record = (kind: Step['kind']) => (event: Event) => {
      if (!event.isTrusted || !(event.target instanceof Element)) return
      const element =
        event.target.closest('a, button, summary, label, input, textarea, [role]') ?? event.target
      const label = (element as HTMLInputElement).labels?.[0] ?? element
      const target = (element.getAttribute('aria-label') ?? label.textContent).trim().slice(0, 40)
      const step: Step = { kind, target, aboveFold: isAboveFold(element) }
      ;(window as unknown as { recordStep: (step: Step) => void }).recordStep(step)
    }
    document.addEventListener('pointerdown', record('click'), true)
    document.addEventListener('input', record('input'), true)
  }
  await page.addInitScript(listen)
  if (page.url() !== 'about:blank') await page.evaluate(listen)
  return steps
}

/**
 * Starts to measure a common task on the current page, which must have loaded.
 * @param task the task's name in the table at the end of the run
 * @param best the lowest number of clicks among GitHub, Vercel, Linear, and Clerk; undefined if they do not
 * have the task
 * @returns a function that ends the task and adds the measurement to the report. It expects exactly the given
 * number of clicks, which must not be more than `best`. It also expects that exactly the elements in `below`
 * are below the fold
 */
export async function startTask(
  page: Page,
  task: string,
  best?: number,
): Promise<(clicks: number, below?: string[]) => void> {
  const steps = await recordSteps(page)
  return (expected, below = []) => {
    const clicks = steps.filter(({ kind }) => kind === 'click')
    const belowFold = steps.filter(({ aboveFold }) => !aboveFold).map(({ target }) => target)
    const measured: MeasuredTask = { task, clicks: clicks.length, best, belowFold }
    test.info().annotations.push({ type: annotationType, description: JSON.stringify(measured) })
    expect(
      clicks.map(({ target }) => target),
      `clicks of “${task}”`,
    ).toHaveLength(expected)
    if (best !== undefined) expect(clicks.length).toBeLessThanOrEqual(best)
    expect(belowFold, 'elements below the fold').toEqual(below)
  }
}
