declare module 'oidc-provider/lib/helpers/grants.js'
