-- Project tokens for one environment. They have a form of their own, which the release before takes for no token at all.
ALTER TABLE "api_tokens" ADD COLUMN "environment_id" UUID;
CREATE INDEX "api_tokens_environment_id_idx" ON "api_tokens"("environment_id");
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE CASCADE ON UPDATE CASCADE;
