/** The dialog's code, in a file of its own for the browser. Asking for it again costs nothing. */
export const loadPaletteDialog = () => import('./palette-dialog')
