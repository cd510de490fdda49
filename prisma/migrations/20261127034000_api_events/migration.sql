-- Where an API receives security event tokens.
ALTER TABLE "apis" ADD COLUMN "events_url" TEXT;
