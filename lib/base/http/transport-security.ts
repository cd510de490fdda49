export const transportSecurityHeader = 'strict-transport-security'

/**
 * What tells browsers to come by https alone for a year (RFC 6797). It says nothing of subdomains, which need not be ours.
 * @param baseUrl the product's own address
 * @returns undefined where that is plain http, which browsers would have to ignore it on
 */
export const strictTransportSecurity = (baseUrl: string | undefined): string | undefined =>
  baseUrl?.startsWith('https:') ? 'max-age=31536000' : undefined
