-- Few artifacts have a uid or a user code, but an index takes up every row: each new token paid for two entries that
-- nobody ever looks for.
DROP INDEX "oauth_artifacts_uid_idx";
CREATE INDEX "oauth_artifacts_uid_idx" ON "oauth_artifacts"("uid") WHERE "uid" IS NOT NULL;

DROP INDEX "oauth_artifacts_user_code_idx";
CREATE INDEX "oauth_artifacts_user_code_idx" ON "oauth_artifacts"("user_code") WHERE "user_code" IS NOT NULL;
