-- The domain that an app's admins proved to be theirs, by a DNS record or a file, and how that stands.
CREATE TABLE "app_domains" (
    "client_id" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "problem" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_domains_pkey" PRIMARY KEY ("client_id")
);
CREATE INDEX "app_domains_checked_at_idx" ON "app_domains"("checked_at");
ALTER TABLE "app_domains" ADD CONSTRAINT "app_domains_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
