/** Returns a Markdown table. */
export const table = (head: string[], rows: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Rounds a number to an integer, and formats the integer with thousands separators. */
export const whole = (value: number) => Math.round(value).toLocaleString('en-US')

/**
 * Formats a number with decimals. Returns a dash if the number is not finite, which means that it was not
 * measured.
 */
export const fraction = (value: number, digits = 2) => (Number.isFinite(value) ? value.toFixed(digits) : '-')
