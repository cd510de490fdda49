/**
 * The two colour schemes: one set of names, two sets of values. tailwind.config.ts writes them out as CSS
 * variables, and tokens.test.ts holds every pair that carries text or a control to WCAG AA.
 *
 * background  the page            surface   cards, fields, overlays       raised  hover, code, quiet fills
 * border      dividers, cards     control   the outline of a field or box (3:1, WCAG 1.4.11)
 * text, muted                     danger, warning, success: as text or mark, and `-soft` as the fill behind it
 * accent, accent-text, link and focus follow the operator's accent colour: see accent.ts.
 */
export type Scheme = Record<
  | 'background'
  | 'surface'
  | 'raised'
  | 'border'
  | 'control'
  | 'text'
  | 'muted'
  | 'danger'
  | 'warning'
  | 'success'
  | 'danger-soft'
  | 'warning-soft'
  | 'success-soft',
  string
>

export const light: Scheme = {
  background: '#f7f8fa',
  surface: '#ffffff',
  raised: '#eff1f5',
  border: '#dce0e7',
  control: '#858d9b',
  text: '#171a21',
  muted: '#565e6c',
  danger: '#b3261e',
  warning: '#855000',
  success: '#166b3a',
  'danger-soft': '#fdefed',
  'warning-soft': '#fdf4e1',
  'success-soft': '#e8f6ee',
}

export const dark: Scheme = {
  background: '#0d0f13',
  surface: '#14171d',
  raised: '#1d2129',
  border: '#2a2f39',
  control: '#6c7585',
  text: '#e9ecf1',
  muted: '#9ca4b3',
  danger: '#ff8078',
  warning: '#e3aa45',
  success: '#55c78f',
  'danger-soft': '#2b191b',
  'warning-soft': '#282115',
  'success-soft': '#14261f',
}
