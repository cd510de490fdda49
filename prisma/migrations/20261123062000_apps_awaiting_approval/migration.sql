-- An app that registered itself where an operator lets such apps in one by one (docs/decisions/215).
ALTER TABLE "oauth_clients" ADD COLUMN "awaiting_approval" BOOLEAN NOT NULL DEFAULT false;
