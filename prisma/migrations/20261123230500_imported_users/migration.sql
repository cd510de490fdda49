-- When a user was created from another provider's export.
ALTER TABLE "users" ADD COLUMN "imported_at" TIMESTAMPTZ(3);
