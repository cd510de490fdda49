/** The printed findings of a drill. */
export type Findings = {
  /** The findings by keyword. */
  lines: [word: string, text: string][]
  /** The number of acknowledged tokens, and a line for each one that does not work. Undefined if the drill has no ledger. */
  acknowledged?: number
  lost?: string[]
  /** All other faults. */
  wrong: string[]
}

/** The reason why this machine cannot run a drill. */
type Skipped = { skipped: string }

/** A drill that causes one failure on purpose. */
export type Drill = {
  /** A one-line description. */
  about: string
  run: () => Promise<Findings | Skipped>
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
