-- AlterTable
ALTER TABLE "oauth_artifacts" ADD COLUMN     "family" BYTEA;


