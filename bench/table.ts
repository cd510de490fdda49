/** A table in Markdown. */
export const table = (head: string[], rows: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** A number as people read it, without decimals. */
export const whole = (value: number) => Math.round(value).toLocaleString('en-US')

/** A number with decimals; a dash for what could not be measured. */
export const fraction = (value: number, digits = 2) => (Number.isFinite(value) ? value.toFixed(digits) : '-')
