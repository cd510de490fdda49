-- Since when a transferred app waits for its new admins to finish the transfer; null otherwise.
ALTER TABLE "oauth_clients" ADD COLUMN "transferred_at" TIMESTAMPTZ(3);
