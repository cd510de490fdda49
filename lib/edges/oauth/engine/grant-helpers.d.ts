declare module 'oidc-provider/lib/helpers/grants.js'
declare module 'oidc-provider/lib/helpers/als.js'
