/**
 * The scopes of an API in the text area of a form: one per line, as `name | what users select | sensitivity | sentence`. The last
 * three can be missing. The values are not checked; `input.ts` does that.
 */
export type ScopeRow = { name: string; selects: string; sensitivity: string; description: string }

/** Returns the scopes of a text area. Empty lines are ignored. */
export const scopeRows = (text: string): ScopeRow[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.replaceAll('|', '').trim() !== '')
    .map((line) => {
      const [name = '', selects = '', sensitivity = '', ...sentence] = line.split('|')
      return {
        name: name.trim(),
        selects: selects.trim().toUpperCase() || 'NOTHING',
        sensitivity: sensitivity.trim().toUpperCase() || 'LOW',
        description: sentence.join('|').replace(/^ /, ''),
      }
    })

/** Returns the lines of scopes. A scope without a name and a sentence has none. */
export const scopeLines = (rows: readonly ScopeRow[]): string =>
  rows
    .filter(({ name, description }) => name !== '' || description !== '')
    .map(({ name, selects, sensitivity, description }) =>
      [name.replaceAll('|', ''), selects, sensitivity, description].join(' | '),
    )
    .join('\n')
