import { renderSVG } from 'uqr'

/** Returns a QR code as a data: URL, dark on light in both color schemes, because scanners need that. */
export const qrCode = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(renderSVG(text, { border: 2 })).toString('base64')}`
