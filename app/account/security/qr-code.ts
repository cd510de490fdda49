import { renderSVG } from 'uqr'

/** A QR code as a data: address, dark on light in either colour scheme, since readers want it so. */
export const qrCode = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(renderSVG(text, { border: 2 })).toString('base64')}`
