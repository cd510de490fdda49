import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** The type of the annotation that contains a `MeasuredTask` as JSON. */
export const annotationType = 'clicks'

/** The results of measuring a common task in a browser test. */
export type MeasuredTask = {
  task: string
  clicks: number
  /**
   * The lowest number of clicks among comparable products. Undefined if these products do not have the task.
   */
  best: number | undefined
  /** The names of the task's elements that users cannot see completely without scrolling. */
  belowFold: string[]
}

/**
 * A reporter that prints a table of the tasks that this run measured (e2e/common-tasks.spec.ts), even if a
 * test failed.
 */
export default class ClickReport implements Reporter {
  readonly #tasks = new Map<string, MeasuredTask>()

  printsToStdio(): boolean {
    return false
  }

  onTestEnd(_test: TestCase, { annotations }: TestResult): void {
    for (const { type, description } of annotations) {
      if (type !== annotationType || description === undefined) continue
      const measured = JSON.parse(description) as MeasuredTask
      this.#tasks.set(measured.task, measured)
    }
  }

  onEnd(_result: FullResult): void {
    if (this.#tasks.size > 0) console.log(`\n${tableOf([...this.#tasks.values()])}`)
  }
}

const headings = ['Task', 'Clicks', 'Best', 'Below the fold', 'Goal']

/** Returns the tasks as a text table with a title and aligned columns. */
function tableOf(tasks: readonly MeasuredTask[]): string {
  const rows = tasks.map(({ task, clicks, best, belowFold }) => [
    task,
    String(clicks),
    best === undefined ? '–' : String(best),
    belowFold.length === 0 ? 'nothing' : belowFold.join(', '),
    best === undefined ? '–' : clicks <= best && belowFold.length === 0 ? 'met' : 'MISSED',
  ])
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return ['Clicks of common tasks in a window of 1280 x 800', ...text].join('\n')
}
