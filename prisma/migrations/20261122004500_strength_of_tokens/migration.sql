-- AlterTable
ALTER TABLE "api_tokens" ADD COLUMN     "two_factor" BOOLEAN NOT NULL DEFAULT false;

-- A token for one workspace or project was made by somebody whom the workspace let in. An account token was not asked.
UPDATE "api_tokens" SET "two_factor" = true WHERE "kind" <> 'ACCOUNT';
