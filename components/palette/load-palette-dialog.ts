/** Loads the dialog's code, which is a separate file for the browser. Repeated calls do not load it again. */
export const loadPaletteDialog = () => import('./palette-dialog')
