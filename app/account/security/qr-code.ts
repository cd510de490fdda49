import { renderSVG } from 'uqr'

/**
 * Returns a QR code as a data: URL. The QR code is dark on light in both color schemes, because scanners
 * require this.
 */
export const qrCode = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(renderSVG(text, { border: 2 })).toString('base64')}`
