/** The grant of devices without a browser (RFC 8628 section 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The grant of an app that asks for itself (RFC 6749 section 4.4): of apps that can be installed, and of no others. */
export const clientCredentialsGrant = 'client_credentials'
