-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "previous_secret_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "sealed_previous_secret" BYTEA;
