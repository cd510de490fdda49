import { removeExpired } from '@/lib/authorizations/remove-stale'

// The background job on its own, for the clean-up mode: over and over until it is stopped.
for (;;) await removeExpired()
