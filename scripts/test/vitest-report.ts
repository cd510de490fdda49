import type { SerializedError } from 'vitest'
import { JsonReporter, type TestModule } from 'vitest/node'

/**
 * Writes Vitest's JSON report together with the run's unhandled errors, which Vitest's own reporter omits:
 * errors outside of tests, such as a rejection that nothing handled or a worker that ended. Each of them
 * fails the run.
 */
export default class ReportWithErrors extends JsonReporter {
  #errors: readonly SerializedError[] = []

  override async onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[] = []) {
    this.#errors = errors
    await super.onTestRunEnd(modules)
  }

  override writeReport(report: string) {
    const unhandledErrors = this.#errors.map(({ name, message }) => `${name}: ${message}`)
    return super.writeReport(JSON.stringify({ ...JSON.parse(report), unhandledErrors }))
  }
}
