-- Holds a table for each week's used refresh tokens, a child of oauth_artifacts (PostgreSQL's inheritance): whatever reads or deletes
-- from oauth_artifacts reaches them as well, the release before included. Servers make them ahead and drop them when they are over
-- (lib/features/apps/authorizations/used-tables.ts), so no migration names one.
CREATE SCHEMA "used_tokens";
