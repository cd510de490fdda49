/**
 * Loads the code of the command palette's dialog, which is in a separate file. Repeated calls do not load it
 * again.
 */
export const loadPaletteDialog = () => import('./palette-dialog')
