const policies = 'http://schemas.openid.net/pape/policies/2007/06'

/** What `acr` says of two factors, and of anything less (OpenID PAPE 1.0 sections 4 and 5.2). See decision 085. */
export const twoFactors = `${policies}/multi-factor`
export const oneFactor = `${policies}/none`

/** The authentication context class of a sign-in by these methods (OpenID Connect Core section 2). */
export const acrOf = (methods: readonly string[]): string =>
  methods.includes('mfa') ? twoFactors : oneFactor

/** The methods that RFC 8176 has names for; an identity provider's word is none. */
export const amrOf = (methods: readonly string[]): string[] => methods.filter((method) => method !== 'ext')
