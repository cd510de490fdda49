-- Until when the tokens of a user who must use SSO work. Users whom a provider knows already get one period to sign in again.
ALTER TABLE "identities" ADD COLUMN "confirmed_until" TIMESTAMPTZ(3) NOT NULL DEFAULT (now() + '14 days'::interval);

-- Every use of a token asks whether a workspace requires SSO of addresses in its user's domain.
CREATE INDEX "workspace_identity_providers_domain_idx" ON "workspace_identity_providers"("domain");
