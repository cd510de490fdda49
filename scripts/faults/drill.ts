/** The findings of a drill, as they are printed. */
export type Findings = {
  /** The findings by keyword. */
  lines: [word: string, text: string][]
  /** The number of acknowledged tokens, and those that do not work; absent without a ledger. */
  acknowledged?: number
  lost?: string[]
  /** Other faults. */
  wrong: string[]
}

/** Why this machine cannot run a drill. */
type Skipped = { skipped: string }

/** A drill that causes one failure on purpose. */
export type Drill = {
  /** One line. */
  about: string
  run: () => Promise<Findings | Skipped>
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
