-- A client secret has a name and may have an end. The release before knows of neither, and takes a secret past its end.
ALTER TABLE "oauth_client_secrets" ADD COLUMN "name" TEXT;
ALTER TABLE "oauth_client_secrets" ADD COLUMN "expires_at" TIMESTAMPTZ(3);
CREATE INDEX "oauth_client_secrets_expires_at_idx" ON "oauth_client_secrets"("expires_at");
