/** The grant of devices without a browser (RFC 8628 section 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
