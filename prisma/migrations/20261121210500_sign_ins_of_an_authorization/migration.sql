-- AlterTable
ALTER TABLE "authorizations" ADD COLUMN     "sign_ins" INTEGER NOT NULL DEFAULT 0;

-- Each live refresh token is of a sign-in of its own.
UPDATE "authorizations" z SET "sign_ins" = LEAST(live.tokens, 100)
  FROM (SELECT "authorization_id", count(*) AS tokens FROM "oauth_artifacts"
         WHERE "model" = 'RefreshToken' AND "consumed_at" IS NULL GROUP BY "authorization_id") live
 WHERE z."id" = live."authorization_id";
