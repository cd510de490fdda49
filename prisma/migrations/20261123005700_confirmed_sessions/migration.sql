-- When the person at a session last gave their password for something that guards the account. Releases before do not read it.
ALTER TABLE "sessions" ADD COLUMN "confirmed_at" TIMESTAMPTZ(3);
