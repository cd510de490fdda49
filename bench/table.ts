/** Returns a Markdown table. */
export const table = (head: string[], rows: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Formats a number without decimals. */
export const whole = (value: number) => Math.round(value).toLocaleString('en-US')

/** Formats a number with decimals, or as a dash if it was not measured. */
export const fraction = (value: number, digits = 2) => (Number.isFinite(value) ? value.toFixed(digits) : '-')
