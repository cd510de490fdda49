-- An installation that an admin has stand still for a while. The release before knows nothing of it and lets it work.
ALTER TABLE "installations" ADD COLUMN "suspended_at" TIMESTAMPTZ(3);
