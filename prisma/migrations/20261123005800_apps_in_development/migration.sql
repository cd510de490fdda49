-- An app that only members of its workspace can authorize. The release before knows nothing of it and lets everybody authorize every app.
ALTER TABLE "oauth_clients" ADD COLUMN "in_development" BOOLEAN NOT NULL DEFAULT false;
