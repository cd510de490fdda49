/**
 * The two color schemes: one set of names, two sets of values. tailwind.config.ts writes the colors as CSS
 * variables, and tokens.test.ts checks the contrast of texts and of field outlines against WCAG AA.
 *
 * background the canvas surface the sheet, cards, fields raised table headings, quiet fills sunken code
 * overlay menus, dialogs, toasts border dividers, objects border-strong buttons, overlays control the outline
 * of a field or box (3:1, WCAG 1.4.11) text, muted, and faint for placeholders danger, warning, success,
 * info: as text or mark; `-soft` the fill behind it,
 *                                           `-line` around that, `-dot` a status dot; danger-fill a button
 * chart-bad   a line of bad values in a chart
 * accent and its derived tokens follow the instance admin's accent color: see accent.ts.
 */
type State = 'danger' | 'warning' | 'success' | 'info'
export type Scheme = Record<
  | 'background'
  | 'surface'
  | 'raised'
  | 'sunken'
  | 'overlay'
  | 'border'
  | 'border-strong'
  | 'control'
  | 'text'
  | 'muted'
  | 'faint'
  | State
  | `${State}-${'soft' | 'line' | 'dot'}`
  | 'danger-fill'
  | 'chart-2'
  | 'chart-bad',
  string
>

export const light: Scheme = {
  background: '#f4f5f8',
  surface: '#ffffff',
  raised: '#f9fafb',
  sunken: '#f4f5f8',
  overlay: '#ffffff',
  border: '#e1e3e9',
  'border-strong': '#ced1d9',
  control: '#858a96',
  text: '#161922',
  muted: '#5b606c',
  faint: '#676c77',
  danger: '#b51f1f',
  'danger-soft': '#fff0f0',
  'danger-line': '#ffc5c4',
  'danger-dot': '#ea3c3c',
  'danger-fill': '#b51f1f',
  warning: '#814f03',
  'warning-soft': '#fff7e4',
  'warning-line': '#f6d58f',
  'warning-dot': '#e99b1a',
  success: '#036639',
  'success-soft': '#edfbf1',
  'success-line': '#ade3bf',
  'success-dot': '#14a75b',
  info: '#015e9b',
  'info-soft': '#e9f6ff',
  'info-line': '#b1daf8',
  'info-dot': '#1c90dd',
  'chart-2': '#2fb5d8',
  'chart-bad': '#e94646',
}

export const dark: Scheme = {
  background: '#080a0e',
  surface: '#0f1117',
  raised: '#16191f',
  sunken: '#0b0d12',
  overlay: '#16191f',
  border: '#262a33',
  'border-strong': '#343842',
  control: '#696d78',
  text: '#ebedf0',
  muted: '#a5a9b2',
  faint: '#91959f',
  danger: '#ff8f8d',
  'danger-soft': '#2f1817',
  'danger-line': '#6e3332',
  'danger-dot': '#ea3c3c',
  'danger-fill': '#cc3333',
  warning: '#f5bd56',
  'warning-soft': '#271e10',
  'warning-line': '#58401b',
  'warning-dot': '#e99b1a',
  success: '#61da92',
  'success-soft': '#0e291c',
  'success-line': '#1c4d33',
  'success-dot': '#14a75b',
  info: '#7cc7fb',
  'info-soft': '#102536',
  'info-line': '#214868',
  'info-dot': '#1c90dd',
  'chart-2': '#2fb5d8',
  'chart-bad': '#f3625f',
}

/** Translucent colors that mark hovered and selected elements on any background. */
export const hoverOverlays = {
  light: { hover: 'rgb(38 44 60 / 0.055)', selected: 'rgb(38 44 60 / 0.085)' },
  dark: { hover: 'rgb(255 255 255 / 0.055)', selected: 'rgb(255 255 255 / 0.09)' },
}
