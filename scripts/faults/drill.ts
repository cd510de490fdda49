/** The printed findings of a drill. */
export type Findings = {
  /** The lines to print, each with its keyword. */
  lines: [word: string, text: string][]
  /** The number of acknowledged access tokens. Undefined if the drill has no ledger. */
  acknowledged?: number
  /** A description of each acknowledged token that did not work. Undefined if the drill has no ledger. */
  lost?: string[]
  /** All other faults. */
  wrong: string[]
}

/** The reason why a drill cannot run on this machine or in this clone. */
type Skipped = { skipped: string }

/** A drill, which creates a difficult situation on purpose, such as a failure or an upgrade. */
export type Drill = {
  /** A one-line description. */
  about: string
  run: () => Promise<Findings | Skipped>
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
