/** The grant of devices without a browser (RFC 8628 section 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The grant of an app that asks for itself (RFC 6749 section 4.4): of apps that can be installed, and of no others. */
export const clientCredentialsGrant = 'client_credentials'

/** The grant of an app that a company's identity provider sends (RFC 7523 section 2.1): of apps that an admin lets, and of no others. */
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The profile of it that is taken here (draft-ietf-oauth-identity-assertion-authz-grant, section 7.2). */
export const idJagProfile = 'urn:ietf:params:oauth:grant-profile:id-jag'

/** Grants that exist for some apps alone: neither the metadata of docs/contract.md nor a refusal tells the others of them. */
export const grantsOfSome: readonly string[] = [clientCredentialsGrant, jwtBearerGrant]
