/** The printed findings of a drill. */
export type Findings = {
  /** The findings by keyword. */
  lines: [word: string, text: string][]
  /** The number of acknowledged tokens. Undefined if the drill has no ledger. */
  acknowledged?: number
  /** A line for each acknowledged token that does not work. Undefined if the drill has no ledger. */
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
