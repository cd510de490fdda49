/** Loads the dialog's code, which is a separate file for the browser. Repeated calls are free. */
export const loadPaletteDialog = () => import('./palette-dialog')
